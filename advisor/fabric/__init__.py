"""Facts become a cluster: hosts, GPUs, NIC ports, switches, links, jobs. What sources say differently is kept as a conflict."""
