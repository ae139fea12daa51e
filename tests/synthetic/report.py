"""What people report of a world: a form with gaps, and some captures. Each part is there by chance; a few statements are wrong or mislead.

Chances are judgement: what shows abnormal is reported more often than what is normal, because it was looked at for a reason.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import yaml

from tests.synthetic import formats
from tests.synthetic.causes_fabric import free_pair
from tests.synthetic.taking import Taking
from tests.synthetic.world import Trial

WRONG = 0.02  # of statements on sites where something is wrong: mistaken (on a sound one, such a statement would be the alarm itself)
MISLEADS = 0.06  # of sites: something irrelevant that looks alarming
_ODD = (
    Trial("driver of the GPUs updated", "library-version", "none"),
    Trial("another container image", "setting", "none"),
    Trial("firmware of the NICs updated", "bios", "none"),
    Trial("MTU", "setting", "none", "4200", "9000"),
    Trial("NCCL_IB_QPS_PER_CONNECTION", "setting", "none", "1", "2"),
    Trial("one cable replaced", "hardware", "none"),
)


class Reporter(Taking):
    """Writes one site. `clear`: the trace of every cause is kept (stacked sites); `thorough`: how much else is written down, 0 to 1."""

    def write(self) -> dict[str, str]:
        self.site()
        self.hosts()
        self.fabric()
        self.work()
        self.runs()
        self.counters()
        self.links()
        self.flow_control()
        self.storage()
        self.changes()
        self.observations()
        self.captures()
        self.files["site.yaml"] = yaml.safe_dump(_copied(self.form), sort_keys=False, allow_unicode=True, width=200)
        return self.files

    # --- the form -----------------------------------------------------------------------------------------------

    def kept(self, values: dict[str, Any], chance: float) -> dict[str, Any]:
        return {key: value for key, value in values.items() if value is not None and (self.clear or self.often(chance))}

    def site(self) -> None:
        w = self.w
        known = {"fabric": w.technology} if self.often(0.92) else {}
        self.form["site"] = known | self.kept({"use": w.use, "environment": w.environment, "scheduler": "slurm"}, 0.3 + self.thorough / 2)

    def hosts(self) -> None:
        w, kind = self.w, self.w.platform
        nics = w.facts.get("nics_stated", kind.nics)
        entry = {"count": len(w.hosts), "gpus_per_host": kind.gpus, "gpu": kind.gpu, "gpu_form": kind.form, "nic": kind.nic}
        entry |= {
            "cpu": w.facts.get("cpu", kind.cpu),
            "pcie_gen": kind.gen,
            "pcie_width": w.facts.get("slot_width", 16),
            "gpu_link": kind.link,
        }
        entry |= {"bonded": w.facts.get("bonded", False if self.often(0.5) else None), "nic_rate_max_gbps": kind.rate}
        found = self.kept(entry, 0.25 + self.thorough / 2)
        if self.rich or self.often(0.8):
            found |= {"nics_per_host": nics, "nic_rate_gbps": w.port_gbps}
        if w.facts.get("nic_ports"):
            found["nic_ports"] = w.facts["nic_ports"]
        if "links_stated" in w.facts:
            found["gpu_links_active"], found["gpu_links_total"] = w.facts["links_stated"]
            found["gpu"] = kind.gpu
        if w.facts.get("bonded"):
            found["bonded"] = True
        if "rate_now" in w.facts and self.often(0.85):
            found |= {"nic_rate_gbps": w.port_gbps, "nic_rate_max_gbps": kind.rate}
        self.form["hosts"] = [found] if found else []
        if "second_kind" in w.facts:
            less = w.facts["second_kind"]
            other = {"nics_per_host": less or kind.nics, "nic_rate_gbps": w.port_gbps if less else w.port_gbps / 2, "count": 2}
            self.form["hosts"] = [found | {"class": "newer"}, found | {"class": "older"} | other]

    def fabric(self) -> None:
        w = self.w
        per_leaf = len(next(iter(w.leaves.values())))
        values = {"topology": "leaf-spine", "leaf_count": len(w.leaves), "spine_count": w.spines, "hosts_per_leaf": per_leaf}
        values |= {"uplinks_per_leaf": w.uplinks, "uplink_rate_gbps": w.port_gbps, "ratio": round(w.ratio, 2), "routing": w.routing}
        found = self.kept(values, 0.15 + self.thorough / 2)
        if "hash_fields" in w.facts and self.often(0.6):
            found["hash_fields"] = w.facts["hash_fields"]
        if found:
            self.form["fabric"] = found

    def work(self) -> None:
        w = self.w
        if not (self.clear or self.often(0.3 + self.thorough / 2)):
            return
        sizes = sorted((len(hosts) for hosts in w.leaves.values()), reverse=True)
        entries = []
        for job in w.jobs[:6]:
            entry: dict[str, Any] = {"name": job.name, "kind": job.kind, "hosts": len(job.hosts)}
            entry["communication_percent"] = round(100 * job.sends)
            leaves = len({w.leaf_of(host) for host in job.hosts})
            needed = next(k for k in range(1, len(sizes) + 1) if sum(sizes[:k]) >= len(job.hosts))
            entry |= {"leaves": leaves, "leaves_needed": needed, "placement": "same-leaf" if leaves == 1 else "cross-leaf"}
            kept = self.kept(entry, 0.3 + self.thorough / 2)
            if job.parallelism:
                kept["parallelism"] = job.parallelism
            entries.append(kept | {"name": job.name})
        self.form["jobs"] = entries

    # --- what was measured --------------------------------------------------------------------------------------

    def speed(self, hosts: Sequence[str], what: str, far: bool, busy: bool, gpu: bool = True) -> float:
        """What a test gives, as a share of line."""
        w, wire = self.w, what not in ("all_reduce", "all_gather", "alltoall")
        healthy = self.sound_wire if wire else self.sound
        if wire:
            value = w.gpu_wire if gpu else w.wire
        else:
            value = w.collective * (w.by_hosts ** max((len(hosts) // 2).bit_length() - 1, 0))
            if "above" in w.facts:
                value *= w.facts["above"]
        if w.slow_in != "collective" or not wire:
            value *= min((w.slow_hosts.get(host, 1.0) for host in hosts), default=1.0)
        for pair, factor in w.slow_pairs.items():
            if pair <= set(hosts):
                value *= factor
        if far:
            value *= w.crossing
        if busy:
            value *= w.busy_far if far else w.busy_near
        if far and len(hosts) > 2:
            value *= min(w.facts.get("ring_kept", 1.0), w.facts.get("full_exchange", 1.0))
        noise = self.dice.gauss(1, w.scatter if busy and far else 0.012)
        return max(healthy * value * noise, 0.01)

    def run(self, label: str, what: str, hosts: Sequence[str], load: str | None, gpu: bool = True) -> None:
        """One run: into the form, or as the tool's own output that the form names."""
        w = self.w
        leaves = {w.leaf_of(host) for host in hosts}
        far = len(leaves) > 1
        share = self.speed(hosts, what, far, load == "busy", gpu)
        entry: dict[str, Any] = {"label": label, "what": what, "placement": "cross-leaf" if far else "same-leaf"}
        if load:
            entry["load"] = load
        collective = what in ("all_reduce", "all_gather", "alltoall")
        algorithm = w.facts.get("algorithm", "ring")
        if collective and self.often(0.8):
            entry["algorithm"] = algorithm
        if (not collective and self.often(0.6)) or "memory_runs" in w.facts:
            entry["memory"] = "gpu" if gpu else "host"
        if what == "iperf":
            return
        figure = share * (w.line_gBps if collective and what != "alltoall" else w.port_gbps / 8)
        if self.often(0.35) and w.technology != "tcp":
            name = f"runs/{what}-{label}.txt"
            text = (
                formats.nccl_tests(w, hosts, figure, what, algorithm == "ring", w.facts.get("small", 8 * 2**30))
                if collective
                else formats.write_bw(w, hosts[0], figure * 8, gpu)
            )
            self.files[name] = text
            entry |= {"file": name, "between": list(hosts)}
        else:
            repeats = 3 if self.often(0.4) else 1
            values = [figure] + [figure / share * self.speed(hosts, what, far, load == "busy", gpu) for _ in range(repeats - 1)]
            rounded = [round(value if collective else value * 8, 1) for value in values]
            entry["busbw_gBps" if collective else "rate_gbps"] = rounded if len(rounded) > 1 else rounded[0]
            entry["hosts"] = len(hosts)
            if collective:
                entry["size_bytes"] = w.facts.get("small", 8 * 2**30)
            if self.clear or self.often(0.7):
                entry["between"] = list(hosts)
        self.form.setdefault("runs", []).append(entry)

    def runs(self) -> None:
        w = self.w
        first = w.leaves[next(iter(w.leaves))]
        slow = next(iter(w.slow_hosts), None)
        near = (first[0], first[1])
        if slow and self.often(0.75):
            mates = [host for host in w.leaves[w.leaf_of(slow)] if host != slow]
            near = (slow, mates[0])
        far = free_pair(w)
        what = w.facts.get("what", "all_reduce")
        tested = w.technology != "tcp"
        chance = 0.3 + 0.5 * self.thorough
        if tested or self.often(0.6):
            if self.clear or self.often(chance):
                self.run("near-quiet", what, near, "quiet")
            if self.clear or self.often(chance):
                self.run("far-quiet", what, far, "quiet")
            if self.clear or self.often(chance * (0.9 if w.signs.get("depends_on_load") else 0.6)):
                self.run("far-busy", what, far, "busy")
            if self.clear or self.often(chance * 0.5):
                self.run("near-busy", what, near, "busy")
        if tested and (self.clear or self.often(chance * 0.6)):
            self.run("wire-near", "ib_write_bw", near, "quiet", gpu=False)
            if self.often(0.5):
                self.run("wire-far", "ib_write_bw", far, "quiet", gpu=False)
        if w.facts.get("memory_runs") and tested and self.often(0.6):
            self.run("to-gpu", "ib_write_bw", near, None, gpu=True)
            self.run("to-host", "ib_write_bw", near, None, gpu=False)
        if w.facts.get("pair_runs") and self.often(0.7):
            leaves = list(w.leaves.values())
            self.run("pair-a", what, (leaves[0][0], leaves[1][0]), "quiet")
            self.run("pair-b", what, (leaves[0][0], leaves[1][1]), "quiet")
        if slow and self.often(0.35):
            others = [host for host in w.hosts if host != slow]
            self.run("with-it", what, (slow, others[0]), None)
            self.run("without-it", what, (others[1], others[2]), None)
        if (w.facts.get("host_runs") or "full_exchange" in w.facts or "ring_kept" in w.facts) and self.often(0.6):
            for count in (2, 4, 8):
                if count <= len(w.hosts):
                    spread = w.hosts[:: max(len(w.hosts) // count, 1)][:count]
                    self.run(f"on-{count}", what, spread, "busy" if w.by_hosts < 1 else "quiet")
        if "full_exchange" in w.facts and self.often(0.5):
            self.run("all-across", what, w.hosts[:: max(len(w.hosts) // 8, 1)], "quiet")
        if w.facts.get("hosts_of_run"):
            self.run("on-four", what, w.hosts[:4], "quiet")
        if "inside_slow" in w.facts and self.often(0.5):
            host, kept = next(iter(w.facts["inside_slow"].items()))
            top = {"A100": 235, "H100": 480, "H200": 480, "H800": 200, "B200": 840, "GB200": 620, "V100": 130}.get(w.platform.gpu, 20)
            for name, share in ((host, kept), (next(h for h in w.hosts if h != host), 1.0)):
                figure = round(top * share * self.dice.uniform(0.95, 1.0), 1)
                self.form.setdefault("runs", []).append(
                    {
                        "label": f"inside-{name}",
                        "what": "all_reduce",
                        "hosts": 1,
                        "placement": "same-host",
                        "between": [name],
                        "busbw_gBps": figure,
                        "size_bytes": 8 * 2**30,
                    }
                )
        if w.step < 1 and (w.facts.get("from_one_host") or self.often(0.4)):
            one = round(self.dice.uniform(0.3, 8), 2)
            self.form.setdefault("runs", []).extend(
                [
                    {"label": "one-host", "what": "step_time", "hosts": 1, "step_s": one},
                    {
                        "label": "several",
                        "what": "step_time",
                        "hosts": min(4, len(w.hosts)),
                        "step_s": round(one / w.step, 2),
                        "compared_with": "one-host",
                    },
                ]
                if w.facts.get("from_one_host")
                else [{"label": "steps", "what": "step_time", "step_s": round(one / w.step, 2)}]
            )
            if not w.facts.get("from_one_host") and self.often(0.5):
                self.form["expected"] = [{"what": "step_time", "step_s": one, "basis": self.dice.choice(("twin", "other-site"))}]
        if w.technology == "tcp" and ("iperf" in w.facts or self.often(0.4)):
            one, more = w.facts.get("iperf", (w.dice.uniform(0.9, 0.95) if w.port_gbps <= 25 else 0.6, 0.94))
            for streams, share in ((1, one), (8, more)):
                if self.often(0.85):
                    self.files[f"runs/iperf3-P{streams}.txt"] = formats.iperf3(w.hosts[0], streams, share * w.port_gbps, self.dice)
        for entry in w.runs:
            if self.clear or self.often(0.85):
                self.form.setdefault("runs", []).append({key: value for key, value in entry.items() if value is not None})
        if self.often(0.35) and tested:
            wanted = round(w.line_gBps * 0.93, 0)
            self.form.setdefault("expected", []).append(
                {"what": "all_reduce", "busbw_gBps": wanted, "basis": self.dice.choice(("vendor", "health-check", "twin"))}
            )
        if "expected_io" in w.facts and self.often(0.8):
            self.form.setdefault("expected", []).append({"what": "io_read", "rate_gBps": w.facts["expected_io"], "basis": "vendor"})

    # --- what was seen ------------------------------------------------------------------------------------------

    def counters(self) -> None:
        entries = []
        for (at, name), growing in self.w.counters.items():
            if self.clear or self.often(0.55):
                entries.append({"at": at, "name": name, "growing": growing})
        if not self.clear and self.often(MISLEADS):
            entries.append(
                {
                    "at": "host",
                    "name": self.dice.choice(("symbol_errors", "rx_discards", "link_flaps")),
                    "value": self.dice.randrange(3, 400),
                    "note": "since boot",
                }
            )
        if entries:
            self.form["counters"] = entries

    def links(self) -> None:
        w = self.w
        entries: list[dict[str, Any]] = []
        if w.loads and not self.rich and self.often(0.6):
            entry: dict[str, Any] = {"tier": "leaf-uplink", "count": len(w.loads), "rate_gbps": w.port_gbps, "load": "busy", "period_s": 10}
            percent = [round(100 * load) for load in w.loads]
            if len(percent) <= 8 and self.often(0.6):
                entry["used_percent"] = percent
            else:
                entry |= {"mean_percent": round(sum(percent) / len(percent)), "max_percent": max(percent)}
            entries.append(entry)
        if w.host_port and self.often(0.65):
            entries.append({"tier": "host-port", "rate_gbps": w.port_gbps, "max_percent": round(100 * w.host_port), "load": "busy"})
        if "storage_use" in w.facts and self.often(0.6):
            entries.append({"tier": "storage", "max_percent": round(100 * w.facts["storage_use"]), "load": "busy"})
        if "uplinks_lost" in w.facts and self.often(0.3):
            entries.append({"tier": "leaf-uplink", "count": w.uplinks - w.facts["uplinks_lost"], "rate_gbps": w.port_gbps})
        if entries:
            self.form["links"] = entries

    def flow_control(self) -> None:
        entries = [{k: v for k, v in entry.items() if v is not None} for entry in self.w.flow]
        kept = [entry for entry in entries if self.clear or self.often(0.4 + self.thorough / 3)]
        if kept:
            self.form["flow_control"] = kept

    def storage(self) -> None:
        found = self.kept(self.w.storage, 0.3 + self.thorough / 2)
        if found:
            self.form["storage"] = found

    def changes(self) -> None:
        entries = []
        for trial in self.w.trials:
            if self.often(0.3):
                entries.append(_change(trial, self.dice))
        for trial in self.w.odd_trials:
            if self.often(0.4):
                entries.append(_change(trial, self.dice))
        if self.often(0.12):
            entries.append(_change(self.dice.choice(_ODD), self.dice))
        if entries:
            self.form["changes"] = entries

    def observations(self) -> None:
        w = self.w
        found: dict[str, Any] = {}
        normal = dict(w.signs)
        from tests.synthetic.world import HEALTHY_SIGNS

        for name, value in normal.items():
            if value is None:
                continue
            usual = name in HEALTHY_SIGNS and HEALTHY_SIGNS[name] == value
            chance = 0.08 + 0.22 * self.thorough if usual else 0.68
            if self.clear and not usual:
                chance = 0.95
            if self.often(chance):
                mistaken = isinstance(value, bool) and not w.facts.get("sound") and self.often(WRONG)
                found[name] = (not value) if mistaken else value
        if found:
            self.form["observations"] = found


def _copied(tree: Any) -> Any:
    """The same without shared parts: nobody writes anchors by hand."""
    if isinstance(tree, dict):
        return {key: _copied(value) for key, value in tree.items()}
    return [_copied(value) for value in tree] if isinstance(tree, list) else tree


def _change(trial: Trial, dice: Random) -> dict[str, Any]:
    found = {"what": trial.what, "kind": trial.kind, "from": trial.from_ or None, "to": trial.to or None, "effect": trial.effect}
    if dice.random() < 0.6:
        found["only_change"] = True
    return {key: value for key, value in found.items() if value is not None}
