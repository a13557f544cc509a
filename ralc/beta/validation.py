"""Checks shared by every function that takes arrays: the error names what is wrong and where."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

#: Smallest and largest parameter of a Beta: inside, means are exact and no function overflows.
SMALLEST = 1e-100
LARGEST = 1e15
#: Least alpha and beta of a fit, and of a map whose means are not bounded (paper appendix A.1.1).
PARAMETER_FLOOR = 1e-6


def as_floats(values: ArrayLike, name: str) -> Floats:
    """Return `values` as a float array; columns of pandas, polars and pyarrow become NaN where they are null."""
    try:
        if hasattr(values, "array") and hasattr(values, "to_numpy"):  # of pandas
            return values.to_numpy(dtype=np.float64, na_value=np.nan)
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers in one rectangular array") from None
    except OverflowError:
        raise ValueError(f"{name} must be numbers that a float can hold, at most about 1.8e308") from None


def as_vector(values: Floats) -> Floats:
    """Return an array as it is, a column of one (shape (n, 1), as tables and scikit-learn give it) as a vector."""
    return values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values


def require(values: Floats, allowed: Callable[[Floats], Any], name: str, rule: str) -> Floats:
    """Return `values`, or raise a ValueError that names the first entry for which `allowed` is false.

    Parameters
    ----------
    values : array
        What is checked.
    allowed : callable
        Takes the array and returns an array of truths of its shape.
    name, rule
        What the message calls the array, and what it says that each entry must be.
    """
    good = np.asarray(allowed(values), dtype=bool)
    if not good.all():
        index = tuple(int(i) for i in np.argwhere(~good)[0])
        place = f"[{', '.join(map(str, index))}]" if index else ""
        raise ValueError(f"{name} must be {rule}: {name}{place} = {values[index]}")
    return values


def probabilities(values: ArrayLike, name: str) -> Floats:
    """Return `values` as floats in [0, 1], none missing."""
    return require(as_floats(values, name), lambda v: (v >= 0) & (v <= 1), name, "in [0, 1]")


def shares(values: ArrayLike, name: str = "outcome") -> Floats:
    """Return `values` as floats in [0, 1], none missing: whether an answer is right, or what share of it is."""
    if hasattr(values, "concentration"):
        raise TypeError(f"{name} must be in [0, 1], not a Beta: are the arguments swapped?")
    return probabilities(values, name)


def same_shape(*shapes: tuple[int, ...], names: str) -> None:
    """Raise a ValueError unless all shapes are equal."""
    if len(set(shapes)) > 1:
        raise ValueError(f"{names} must have one shape: they have {', '.join(map(str, shapes))}")
