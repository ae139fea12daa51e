"""The one base of all models: frozen, and nothing that its form does not name."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
