"""Which systems a site has, on which devices, and what fills their commands there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from advisor.evidence.bundle import Bundle, host_of
from advisor.fabric.model import Fabric
from advisor.remedy.fills import Fills, is_safe, safe
from advisor.remedy.site import Where, dscps, leaf_of, lossless, mtus
from advisor.remedy.vendor import Domain, Vendor

_EITHER: tuple[Domain, ...] = ("nic", "host", "library", "scheduler", "storage")  # nothing tells which: all are shown


@dataclass(frozen=True)
class Sited:
    """A site as the commands of one remedy see it: `where` is what its causes point at."""

    bundle: Bundle
    fabric: Fabric
    where: Where
    vendors: Mapping[str, Vendor]

    @cached_property
    def systems(self) -> Mapping[Domain, tuple[Vendor, ...]]:
        """By domain, those whose captures or names are there; where nothing tells, all, but for switches and subnet managers none."""
        found: dict[Domain, tuple[Vendor, ...]] = {}
        for domain in dict.fromkeys(vendor.domain for vendor in self.vendors.values()):
            all_of = tuple(vendor for vendor in self.vendors.values() if vendor.domain == domain)
            here = tuple(vendor for vendor in all_of if self._is_here(vendor))
            open_to = domain in _EITHER and not (domain == "nic" and self._families)
            found[domain] = here or (all_of if open_to else ())
        return found

    def _is_here(self, vendor: Vendor) -> bool:
        return bool(set(vendor.tools) & set(self.bundle.tools) or set(vendor.named) & self._said)

    @cached_property
    def _said(self) -> frozenset[str]:
        """Words that name systems: scheduler, technology, kind of storage, and families of RDMA devices (`mlx5_` of mlx5_0)."""
        kinds = {str(known.value) for known in self.bundle.find("storage.kind", "site")}
        return frozenset({self.fabric.scheduler or "", self.fabric.technology or "", *kinds, *self._families})

    @cached_property
    def _families(self) -> frozenset[str]:
        devices = (name.partition("/")[0] for host in self.fabric.hosts.values() for name in host.ports)
        return frozenset(device.rstrip("0123456789") for device in devices)

    def devices(self, vendor: Vendor) -> tuple[str, ...]:
        """Switches: those whose captures are of this system, first what the causes point at. Cards and hosts: the hosts concerned."""
        if vendor.domain == "switch":
            seen = dict.fromkeys(host for capture, part in self.bundle.parts(*vendor.tools) if (host := host_of(capture, part)))
            return tuple(sorted(seen, key=lambda name: name not in self.where.leaves))
        return tuple(self.hosts) if vendor.domain in ("nic", "host") else ()

    @cached_property
    def hosts(self) -> tuple[str, ...]:
        """The hosts that the causes point at, else those of their jobs, else all; only those that a source names."""
        fabric = self.fabric
        jobs = {job.name: job for job in fabric.jobs}
        of_jobs = dict.fromkeys(host for job in self.where.jobs for host in jobs[job].hosts)
        chosen = self.where.hosts or of_jobs or fabric.hosts
        return tuple(host for host in chosen if host not in fabric.hosts or fabric.hosts[host].named)

    @cached_property
    def port_gbps(self) -> float | None:
        """Rate of the hosts' ports, where all known ones have the same."""
        rates = {port.rate_gbps for host in self.fabric.hosts.values() for port in host.ports.values() if port.rate_gbps}
        return rates.pop() if len(rates) == 1 else None

    @cached_property
    def _made(self) -> dict[str, Fills]:
        return {}

    def fills(self, vendor: Vendor) -> Fills:
        """What fills the lines of a system, worked out once."""
        if vendor.id not in self._made:
            self._made[vendor.id] = self._fills(vendor)
        return self._made[vendor.id]

    def _fills(self, vendor: Vendor) -> Fills:
        """Every word of it safe to type.

        A single port or host is only named where the causes point at it: nobody shall shut a port or drain a host because it came first.
        """
        ports, nics = self._ports(vendor), self._nics()
        words = {**self._pointed(vendor), **self._of_class(vendor), **self._of_jobs()}
        leaves = [(leaf.name, leaf.hosts) for leaf in self.fabric.leaves if leaf.name != "*"]
        given = [*words.values(), *ports, *self.hosts, *(name for name, _ in leaves), *(host for _, hosts in leaves for host in hosts)]
        return Fills(
            values={name: word for name, word in words.items() if is_safe(word)} | self._lists(nics) | self._bits(),
            ports=safe(ports),
            nics=tuple((interface, device) for interface, device in nics if is_safe(interface) and is_safe(device)),
            hosts=tuple((host, self._leaf(host)) for host in safe(self._all_hosts)),
            leaves=tuple((name, safe(hosts)) for name, hosts in leaves if is_safe(name)),
            refused=tuple(dict.fromkeys(word for word in given if not is_safe(word))),
        )

    @property
    def _all_hosts(self) -> list[str]:
        return [name for name, host in self.fabric.hosts.items() if host.named]

    def _leaf(self, host: str) -> str | None:
        leaf = leaf_of(host, self.fabric)
        return leaf if leaf is not None and is_safe(leaf) else None

    def _ports(self, vendor: Vendor) -> tuple[str, ...]:
        """Ports of the system's first switch: those that the causes point at, else the cabled ones, else all that were seen."""
        switch = self._switch(vendor)
        if switch is None:
            return ()
        ends = (end for link in self.fabric.links_by_device.get(switch, ()) for end in (link.a, link.b))
        cabled = [end.port for end in ends if end.device == switch and end.port]
        known = self.fabric.switches.get(switch)
        return tuple(dict.fromkeys(self._pointed_ports(switch) or cabled or (known.ports if known else ())))

    def _switch(self, vendor: Vendor) -> str | None:
        """The system's first switch; where no source names it, what the fabric calls it by: its capture."""
        if vendor.domain != "switch":
            return None
        unnamed = (capture.name for capture, _ in self.bundle.parts(*vendor.tools) if capture.name in self.fabric.switches)
        return next(iter(self.devices(vendor)), None) or next(unnamed, None)

    def _pointed_ports(self, device: str) -> list[str]:
        return [port for name, _, port in (each.partition("/") for each in self.where.ports) if name == device]

    def _pointed(self, vendor: Vendor) -> dict[str, str]:
        """The port and the host that the causes point at."""
        found: dict[str, str] = {}
        switch = self._switch(vendor)
        if switch is not None and (ports := self._pointed_ports(switch)):
            found["port"] = ports[0]
        if self.where.hosts:
            found["host"] = self.where.hosts[0]
            if leaf := leaf_of(self.where.hosts[0], self.fabric):
                found["leaf"] = leaf
        return found

    def _nics(self) -> tuple[tuple[str, str], ...]:
        """Interface and RDMA device of each card of the first host concerned that tells both."""
        for host in self.hosts:
            ports = self.fabric.hosts[host].ports.values() if host in self.fabric.hosts else ()
            found = [(port.netdev, port.name.partition("/")[0]) for port in ports if port.netdev and port.netdev != port.name]
            if found:
                return tuple(dict.fromkeys(found))
        return ()

    def _lists(self, nics: tuple[tuple[str, str], ...]) -> dict[str, str]:
        """Devices and leaves as lists, and the first card."""
        leaves = [leaf.name for leaf in self.fabric.leaves if leaf.name != "*"]
        found: dict[str, str] = {}
        for name, words in (("nics", [device for _, device in nics]), ("switches", leaves)):
            if words and all(map(is_safe, words)):
                found[name] = ",".join(words)
        if nics and is_safe(nics[0][0]):
            found["interface"] = nics[0][0]
        return found | self._in_force()

    def _in_force(self) -> dict[str, str]:
        """Trust and PFC of the hosts' ports as captured, where all that tell of it agree: what a way back goes back to."""
        ports = [port for host in self.hosts if host in self.fabric.hosts for port in self.fabric.hosts[host].ports.values()]
        trusts = {port.trust for port in ports if port.trust in ("dscp", "pcp")}
        paused = {port.pfc_priorities for port in ports if port.pfc_priorities is not None}
        found: dict[str, str] = {}
        if len(trusts) == 1:
            found["trust_now"] = str(trusts.pop())
        if len(paused) == 1:
            lossless_ones = paused.pop()
            found["pfc_now"] = ",".join("1" if i in lossless_ones else "0" for i in range(8))
        return found

    def _of_class(self, vendor: Vendor) -> dict[str, str]:
        """Priority, DSCP, queue and profile, each where all that tells of it agrees."""
        priorities, values = lossless(self.bundle, self.fabric), dscps(self.bundle)
        found = {"priority": priorities[0]} if len(priorities) == 1 else {}
        found |= {"dscp": values[0]} if len(values) == 1 else {}
        found |= {"mtu": mtu[0]} if (mtu := mtus(self.fabric)) else {}
        if found.get("priority"):
            queues = {str(known.value) for known in self.bundle.find(f"tc_to_queue.{found['priority']}", *vendor.tools)}
            found |= {"queue": queues.pop()} if vendor.tools and len(queues) == 1 else {}
        profiles = {known.names[0] for known in self.bundle.find("ecn_profiles.*", *vendor.tools)} if vendor.tools else set()
        return found | ({"profile": profiles.pop()} if len(profiles) == 1 else {})

    def _bits(self) -> dict[str, str]:
        """Forms that tools want of a priority and of a DSCP value."""
        priorities, values = lossless(self.bundle, self.fabric), dscps(self.bundle)
        found: dict[str, str] = {}
        if len(priorities) == 1 and priorities[0].isdigit() and int(priorities[0]) < 8:
            number = int(priorities[0])
            found |= {"pfc_bits": ",".join("1" if i == number else "0" for i in range(8)), "priority_bits": f"{number:03b}"}
        if len(values) == 1 and values[0].isdigit() and int(values[0]) < 64:
            number = int(values[0])
            found |= {"dscp_bits": f"{number:06b}", "traffic_class": str(number * 4), "traffic_class_hex": f"0x{number * 4:02x}"}
        return found

    def _of_jobs(self) -> dict[str, str]:
        jobs = self.where.jobs or tuple(job.name for job in self.fabric.jobs)
        return {"job": jobs[0]} if jobs else {}
