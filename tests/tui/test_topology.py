"""The map: leaves cross spines, parallel uplinks side by side, ways of a job lit, loss by its power of ten. Counted by hand."""

from advisor.fabric.model import End, Fabric, Leaf, Link, Pod
from advisor.tui.views import fabric, measured, thing, topology
from advisor.tui.views.measured import Measured
from advisor.tui.views.topology import Look
from advisor.tui.views.words import Row, Table, text_of
from tui import site


def row(table: Table, key: str) -> Row:
    return next(row for row in table.rows if row.key == key)


def said(table: Table, key: str) -> list[str]:
    return [text_of(cell) for cell in row(table, key).cells]


def test_spines_are_columns_and_parallel_uplinks_stand_where_they_cross() -> None:
    table = topology.table(site.fabric(), "en", Look(width=100))
    assert [column.title for column in table.columns][2:4] == ["spine-1", "spine-2"]
    assert said(table, "leaf:leaf-1")[2:4] == [" █▃ ", " ▃▃ "]  # 0.97 and 0.31; 0.35 and 0.28
    assert said(table, "leaf:leaf-4")[3] == " ▅✗ "  # 0.5, and one that is down
    assert said(table, "spines")[2:4] == [" 97 %", " 61 %"]


def test_an_unequal_split_of_parallel_uplinks_shows_by_height_and_by_colour() -> None:
    cell = row(topology.table(site.fabric(), "en", Look(width=100)), "leaf:leaf-1").cells[2]
    assert [span.tone for span in cell if span.text.strip()] == ["bad", "good"]


def test_without_room_all_uplinks_stand_in_one_column() -> None:
    table = topology.table(site.fabric(), "en", Look(width=50))
    assert said(table, "leaf:leaf-1")[2] == "█▃ ▃▃"


def test_a_job_lights_its_hosts_and_the_links_that_it_may_take() -> None:
    look = Look(width=100, job=fabric.job_named(site.fabric(), "llm-70b"))
    table = topology.table(site.fabric(), "en", look)
    assert said(table, "leaf:leaf-1")[2] == "[█▃]"
    assert said(table, "leaf:leaf-1")[-1] == "◆◆●●●●●●"
    inside = Look(width=100, job=fabric.job_named(site.fabric(), "chat-serving"))
    assert said(topology.table(site.fabric(), "en", inside), "leaf:leaf-4")[2] == " ▅▅ ", "a job inside one leaf takes no uplink"


def test_loss_shows_as_the_power_of_ten_and_unknown_as_unknown() -> None:
    lost = {("leaf-1", "33"): 0.0, ("leaf-1", "34"): 4200.0, ("spine-2", "7"): 12.0}
    table = topology.table(site.fabric(), "en", Look("loss", lost, width=100))
    assert said(table, "leaf:leaf-1")[2:4] == [" ·3 ", " 1? "]
    assert said(table, "leaf:leaf-4")[3] == " ?✗ "


def test_three_tiers_show_the_pods_and_their_way_to_the_core() -> None:
    links = tuple(
        Link(a=End(device=f"leaf-{n}", port=f"{s}"), b=End(device=f"spine-{n}{s}", port="1"), rate_gbps=400, state="active")
        for n in (1, 2)
        for s in (1, 2)
    )
    found = Fabric(
        links=links,
        leaves=tuple(Leaf(name=f"leaf-{n}", hosts=(f"h{n}",), ratio=1.0, pod=f"pod-{n}") for n in (1, 2)),
        pods=tuple(Pod(name=f"pod-{n}", ratio=2.0, uplinks=4, up_gbps=1600, leaves=(f"leaf-{n}",)) for n in (1, 2)),
        tiers=3,
    )
    table = topology.table(found, "en", Look(width=100))
    assert [each.key for each in table.rows] == ["spines", "pod:pod-1", "leaf:leaf-1", "pod:pod-2", "leaf:leaf-2"]
    assert said(table, "pod:pod-1")[:3] == ["pod-1", "! 2:1", "4 links to the core, 1,600 Gb/s"]


def test_spines_stand_in_the_order_of_their_numbers() -> None:
    links = tuple(Link(a=End(device="leaf-1", port=f"{s}"), b=End(device=f"spine-{s}", port="1")) for s in (10, 9, 2))
    table = topology.table(Fabric(links=links, leaves=(Leaf(name="leaf-1"),)), "en", Look(width=100))
    assert [column.title for column in table.columns][2:5] == ["spine-2", "spine-9", "spine-10"]


def test_a_link_tells_its_ends_its_use_and_its_source() -> None:
    place = next(i for i, link in enumerate(site.fabric().links) if link.a == End(device="leaf-1", port="33"))
    lines = [text_of(para.phrase) for para in thing.about(site.fabric(), f"link:{place}", Measured(), {}, "en")]
    assert lines[0] == "leaf-1 33 ↔ spine-1 5 · 400 Gb/s · used 97 % · ✓ active"


def test_curves_begin_with_training_logs() -> None:
    found = measured.curves(site.bundle(), site.fabric(), Measured(), "en")
    assert found[0].title == "train.log"
    assert sum(found[0].curve.shaded) == 28
