"""Blanks around what is filled into Chinese texts: one beside Latin letters and figures, none between Chinese characters."""

from advisor.base.text import Text
from advisor.remedy.words import filled


def test_a_filled_text_has_the_blanks_that_chinese_is_set_with() -> None:
    text = Text(en="", zh="在 {hosts} 的接口上对{priority}开启标记，{share}%。")
    few, many = Text(en="", zh="nh-a01"), Text(en="", zh="nh-a01 及其余 10 个")
    known, unknown = Text(en="", zh="优先级 3"), Text(en="", zh="所规划的优先级")
    assert filled(text, hosts=few, priority=known, share=5).zh == "在 nh-a01 的接口上对优先级 3 开启标记，5%。"
    assert filled(text, hosts=many, priority=unknown, share=5).zh == "在 nh-a01 及其余 10 个的接口上对所规划的优先级开启标记，5%。"


def test_what_stands_inside_a_value_stays() -> None:
    assert filled(Text(en="{a}", zh="交换机{a}。"), a="机房1交换机").zh == "交换机机房1交换机。"
