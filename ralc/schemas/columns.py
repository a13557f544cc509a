"""The kinds of column that tables have: type, bounds, whether a value may be missing."""

from collections.abc import Iterable

import pandera.pandas as pa


def text(allowed: Iterable[str] | None = None, *, nullable: bool = False, unique: bool = False) -> pa.Column:
    """A text, of those that are allowed."""
    return pa.Column(
        "str",
        pa.Check.isin(list(allowed)) if allowed else None,
        nullable=nullable,
        unique=unique,
        coerce=True,
    )


def repeated(*, nullable: bool = False) -> pa.Column:
    """A text that many rows share, kept once."""
    texts = pa.Check(
        lambda column: all(isinstance(one, str) for one in column.cat.categories), error="a text"
    )
    return pa.Column("category", texts, nullable=nullable, coerce=True)


def number(low: float | None = None, high: float | None = None, *, nullable: bool = False) -> pa.Column:
    """A number within bounds."""
    checks = [] if low is None else [pa.Check.ge(low)]
    checks += [] if high is None else [pa.Check.le(high)]
    return pa.Column("float64", checks, nullable=nullable, coerce=True)


def count(low: int = 0, *, nullable: bool = False) -> pa.Column:
    """A whole number."""
    return pa.Column("Int64", pa.Check.ge(low), nullable=nullable, coerce=True)


def flag(*, coerce: bool = True) -> pa.Column:
    """True or false."""
    return pa.Column("bool", coerce=coerce)


def listed() -> pa.Column:
    """A list, checked for presence alone."""
    return pa.Column("object", nullable=True)


def parameter(*, nullable: bool = False) -> pa.Column:
    """A Beta parameter: positive."""
    return pa.Column("float64", pa.Check.gt(0), nullable=nullable, coerce=True)


def outcome() -> pa.Column:
    """Right (1), wrong (0), the share in between that is right, or not known."""
    return number(0, 1, nullable=True)
