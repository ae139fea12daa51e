"""The words of a diagnosis: verdicts, layers, states. Apart from the models: the command line offers them without pydantic."""

from typing import Literal, get_args

Verdict = Literal["shared-contention", "physical-capacity", "node-fault", "configuration", "none", "undetermined"]
VERDICTS: tuple[str, ...] = get_args(Verdict)
Layer = Literal["node", "fabric", "storage", "scheduling", "flow-control", "host-software", "none"]
LAYERS: tuple[str, ...] = get_args(Layer)
LayerState = Literal["clean", "suspect", "faulty", "unknown"]
