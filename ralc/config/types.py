"""What every section of the configuration is made of: counts, shares, names, and what may not stand twice."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Fraction = Annotated[float, Field(gt=0, lt=1)]
#: A million of anything is a slip of the pen.
Count = Annotated[int, Field(ge=1, le=1_000_000)]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]


class ConfigError(ValueError):
    """A configuration that cannot run; the message has one line for each fault."""


class Section(BaseModel):
    """A part of the configuration: unknown keys are errors, values do not change, each key has its meaning below it."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, use_attribute_docstrings=True)


def distinct(values: list[Any]) -> list[Any]:
    """Return the values, which must differ."""
    if len(set(values)) < len(values):
        raise ValueError("names something twice")
    return values
