"""Facts become a cluster: each room of the fabric is built by its own module, and put together here."""

from advisor.evidence.bundle import Bundle
from advisor.fabric import design
from advisor.fabric.jobs import jobs
from advisor.fabric.logs import logs
from advisor.fabric.model import Fabric, Host
from advisor.fabric.runs import runs


def build(bundle: Bundle) -> Fabric:
    """The cluster that the captures and statements tell of. An empty bundle gives an empty fabric; nothing is filled in by guessing."""
    measured = runs(bundle)
    running = jobs(bundle)
    named = sorted({host for run in measured for host in run.hosts} | {host for job in running for host in job.hosts})
    rails = design.figure(bundle, "fabric", "rails")
    return Fabric(
        hosts={name: Host(name=name) for name in named},
        jobs=running,
        runs=measured,
        logs=logs(bundle),
        host_kinds=design.host_kinds(bundle),
        storage=design.storage(bundle),
        routing=design.word(bundle, "fabric", "routing"),
        rails=int(rails) if rails else None,
        technology=design.word(bundle, "site", "fabric"),
        topology=design.word(bundle, "fabric", "topology"),
        use=design.word(bundle, "site", "use"),
        scheduler=design.word(bundle, "site", "scheduler"),
    )
