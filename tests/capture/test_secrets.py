import pytest

from advisor.capture.secrets import MARK, is_secret, veiled


@pytest.mark.parametrize(
    "line",
    [
        "HF_TOKEN=S3CR",
        "export AWS_SECRET_ACCESS_KEY='S3CR with blanks'",
        "  WANDB_API_KEY: S3CR",
        '"password": "S3CR",',
        "NVIDIA_API_KEY set by environment to S3CR",
        "root@gpu-07:~# redis-cli --password S3CR ping",
        "mysql --api-key=S3CR",
        "curl -H 'Authorization: Bearer S3CRS3CRS3CR' https://x/",
        "proxy http://hans:S3CR@proxy.example:3128/",
        "username admin privilege 15 secret 5 S3CR",
        "username admin secret sha512 S3CR",
        "snmp-server community S3CR ro",
        " local-user admin password irreversible-cipher S3CR",
        "snmp-agent community read cipher S3CR",
        "radius-server host 10.0.0.1 key 7 S3CR",
        "set system login user x authentication encrypted-password S3CR",
    ],
)
def test_a_secret_is_not_shown(line: str) -> None:
    assert "S3CR" not in veiled(line)
    assert MARK in veiled(line)
    assert veiled(veiled(line)) == veiled(line)


@pytest.mark.parametrize(
    "line",
    [
        "NCCL_IB_HCA=mlx5_0:1",
        "rx_discards_phy: 12",
        "Partition key: 0xffff",
        "PKey 0x8001",
        "hash key: src-ip dst-ip",
        "Key type: ECMP",
        "AWS_SHARED_CREDENTIALS_FILE=/root/.aws/credentials",
        "tokens per second: 1234.5",
        "consumed tokens: 1000",
        "throughput (token/s): 3021.7",
        "Node GUID: 0xb83fd20300e5c980",
        "MD5 of the file: d41d8cd98f00b204e9800998ecf8427e",
        "link layer: InfiniBand",
        "sort keys: a b c",
        "q_key: 0x0",
        "qkey=0x1234",
    ],
)
def test_what_is_no_secret_stays(line: str) -> None:
    assert veiled(line) == line


def test_names() -> None:
    assert [
        name
        for name in ("HF_TOKEN", "DB_PASSWORD", "GITHUB_KEY", "NCCL_IB_PKEY", "UCX_IB_PKEY", "NCCL_DEBUG", "TOKEN_FILE")
        if is_secret(name)
    ] == [
        "HF_TOKEN",
        "DB_PASSWORD",
        "GITHUB_KEY",
    ]


def test_a_long_line_takes_no_time() -> None:
    import time

    begun = time.process_time()
    for text in (
        "token" * 40_000,
        "a." * 100_000 + "key",
        "secret=" * 30_000,
        "x://" * 50_000,
        "password " * 20_000,
        "_-" * 100_000 + "key=",
    ):
        veiled(text)
    assert time.process_time() - begun < 5
