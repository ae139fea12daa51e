"""What is taken at a world as captures: files as the tools of its hosts and switches print them, each there by chance."""

from typing import Any

from tests.synthetic import formats
from tests.synthetic.world import World


class Taking:
    """Writes the captures of one site. `clear`: the trace of every cause is kept; `thorough`: how much else is taken, 0 to 1."""

    def __init__(self, w: World, clear: bool) -> None:
        self.w, self.dice, self.clear = w, w.dice, clear
        self.thorough = 0.9 if clear else w.dice.uniform(0.2, 1.0)
        self.rich = clear or w.dice.random() < 0.35  # captures of the whole site
        self.sound, self.sound_wire = w.dice.uniform(0.9, 0.965), w.dice.uniform(0.955, 0.99)  # of line rate, where nothing is wrong
        self.files: dict[str, str] = {}
        self.form: dict[str, Any] = {"form": 1}

    def often(self, chance: float) -> bool:
        return self.dice.random() < chance

    # --- captures -----------------------------------------------------------------------------------------------

    def put(self, name: str, text: str) -> None:
        self.files[name] = text

    def captures(self) -> None:
        w = self.w
        special = next(iter({**w.facts.get("narrow", {}), **w.facts.get("errors", {}), **w.facts.get("nvlinks_lost", {})}), None)
        looked = [special] if special and self.often(0.8) else []
        looked += [host for host in self.dice.sample(w.hosts, 2) if host not in looked]
        rdma = w.technology != "tcp"
        for k, host in enumerate(looked):
            if rdma and self.often(0.35 + 0.3 * self.rich):
                self.put(f"{host}/ibstat.txt", formats.ibstat(w, host))
            if (
                w.platform.nics > 1
                and (w.facts.get("far") or w.facts.get("shared_near") or k == 0)
                and self.often(0.5 if w.facts.get("far") or w.facts.get("shared_near") else 0.25)
            ):
                self.put(f"{host}/nvidia-smi-topo.txt", formats.topo(w, host))
            told = "narrow" in w.facts or "acs" in w.facts or "slot_width" in w.facts or w.signs.get("relaxed_ordering_on") is False
            if rdma and self.often(0.55 if told else 0.1):
                self.put(f"{host}/lspci.txt", formats.lspci(w, host))
            if w.technology == "roce" and self.often(0.2 + 0.2 * self.rich):
                lossless = (
                    []
                    if w.facts.get("pfc_off")
                    else next((e["pfc_priorities"] for e in w.flow if e["side"] == "host" and "pfc_priorities" in e), [3])
                )
                self.put(f"{host}/mlnx_qos.txt", formats.mlnx_qos(host, lossless))
            if w.platform.nvlinks and self.often(0.7 if "nvlinks_lost" in w.facts else 0.08):
                self.put(f"{host}/nvidia-smi-nvlink.txt", formats.nvlink(w, host))
            if (w.facts.get("idle_gen") and k == 0) or self.often(0.08):
                self.put(f"{host}/nvidia-smi.csv", formats.gpu_csv(w, host, bool(w.facts.get("idle_gen")) or self.often(0.3)))
            if rdma and self.often(0.15 + 0.25 * self.rich or 0.5 * (host in w.facts.get("errors", {}))):
                self.counter_pair(host)
        if self.rich or self.often(0.15):
            self.put("slurm/topology.txt", formats.slurm_topology(w))
            self.put("slurm/jobs.txt", formats.slurm_jobs(w))
        if w.facts.get("partly") and self.often(0.75):
            self.put("slurm/nodes.txt", formats.slurm_nodes(w, True))
        elif self.often(0.1):
            self.put("slurm/nodes.txt", formats.slurm_nodes(w, False))
        if "log_inside" in w.facts and (self.clear or self.often(0.5)):
            self.put("training/run.log", formats.training_log(w, w.facts["log_inside"], w.facts.get("log_steps", 5)))
        elif self.often(0.08):
            self.put("training/run.log", formats.training_log(w, None))
        if w.loads and self.rich and len(w.loads) <= 64:
            leaf = next(iter(w.leaves))
            self.put(f"{leaf}/counters.txt", formats.sonic_counters(w, leaf))
            self.put(f"{leaf}/lldp.txt", formats.lldp(w, leaf))
            if self.often(0.6):
                self.put(f"{leaf}/status.txt", formats.sonic_status(w, leaf))
        self.logs()

    def logs(self) -> None:
        w = self.w
        variables = {"NCCL_DEBUG": "INFO", "NCCL_IB_GID_INDEX": "3"} | w.facts.get("env", {})
        if "hcas" in w.facts and self.often(0.5):
            variables["NCCL_IB_HCA"] = ",".join(f"mlx5_{k}" for k in range(w.facts["hcas"]))
        told = "env" in w.facts or "hcas" in w.facts or "env_differs" in w.facts
        if self.often(0.6 if told else 0.1):
            hosts = w.hosts[:2]
            for k, host in enumerate(hosts):
                own = dict(variables)
                if "env_differs" in w.facts:
                    own[w.facts["env_differs"]] = str(k)
                nics = w.facts.get("hcas", w.platform.nics)
                self.put(f"{host}/nccl.log", formats.nccl_env(host, own, nics, w.signs.get("gdr_used"), w.technology))
        if "plan" in w.facts and self.often(0.7):
            rate = round(w.line_gBps * w.facts["plan"], 2)
            self.form.setdefault("runs", []).append(
                {"label": "start", "what": "all_reduce", "plan": [{"nics": [0], "rings": 2, "rate_gBps": rate}]}
            )

    def counter_pair(self, host: str) -> None:
        """Counters of one port twice, a minute apart: busy where the world is; on healthy ports small and not quite still."""
        w, dice = self.w, self.dice
        bad = host in w.facts.get("errors", {})
        pausing = w.facts.get("pausing") == host
        grows = {name: growing for (at, name), growing in w.counters.items() if at == "host" and growing}
        moved = dice.randrange(10**11, 10**12)
        before = {"symbol_error": dice.choice((0, 0, 3, 17)), "link_downed": dice.choice((0, 1, 1, 2))}
        after = {
            "symbol_error": before["symbol_error"] + (dice.randrange(50, 9000) if bad else 0),
            "link_downed": before["link_downed"] + (bad and dice.random() < 0.3),
        }
        if w.technology == "ib":
            head = {"PortXmitData": 36298026860928, "PortRcvData": 12279028775751, "PortXmitPkts": 101733204203, "PortRcvPkts": 32262508468}
            rows = [
                head
                | {
                    "SymbolErrorCounter": one["symbol_error"],
                    "LinkErrorRecoveryCounter": 0,
                    "LinkDownedCounter": int(one["link_downed"]),
                    "PortRcvErrors": 0,
                    "PortXmitDiscards": 0,
                    "PortXmitWait": 88012 + k * dice.randrange(500),
                }
                for k, one in enumerate((before, after))
            ]
            rows[1] |= {name: value + moved for name, value in head.items()}
            texts = [formats.perfquery(host, row) for row in rows]
            stem = "perfquery-x"
        else:
            pause = dice.randrange(10**3, 10**5)
            quiet = dice.choice((0, 0, 0, 2, 9))  # a handful of frames a minute is nothing
            ours = dice.randrange(10**5, 10**6) if pausing else 0
            theirs = dice.randrange(10**5, 10**6) if grows.get("rx_pause") else quiet
            lost = dice.randrange(10**3, 10**5) if grows.get("out_of_sequence") else 0
            rows = []
            for k in (0, 1):
                rows.append(
                    {
                        "rx_bytes_phy": 48090326383663888 + k * moved,
                        "tx_bytes_phy": 48117991062978531 + k * moved,
                        "rx_packets_phy": 11521533311314 + k * moved // 4096,
                        "rx_crc_errors_phy": int(bad) * k * dice.randrange(10, 900),
                        "rx_symbol_err_phy": (before, after)[k]["symbol_error"],
                        "rx_discards_phy": k * lost,
                        "tx_discards_phy": 0,
                        "rx_corrected_bits_phy": 411870922 + k * dice.randrange(10**5),
                        "link_down_events_phy": int((before, after)[k]["link_downed"]),
                        "rx_prio3_pause": pause + k * theirs,
                        "rx_prio3_pause_duration": (pause + k * theirs) // 2,
                        "tx_prio3_pause": pause + k * ours,
                        "tx_prio3_pause_duration": (pause + k * ours * (40 if w.facts.get("storm") else 4)) // 2,
                    }
                )
            texts = [formats.ethtool_s(host, row) for row in rows]
            stem = "ethtool-S-ens10np0"
        for k, text in enumerate(texts):
            self.put(f"{host}/{stem}-20260914-104{k}00.txt", text)
