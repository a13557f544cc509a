"""A file that torch saved, read without torch and without running anything that stands in it."""

import pickle
import zipfile
from collections import OrderedDict, defaultdict
from pathlib import Path
from typing import Any

import numpy as np

#: How numpy puts arrays and numbers together again, under the names of its older and newer versions.
_ARRAY, _SCALAR = np.empty(0).__reduce__()[0], np.float64(0).__reduce__()[0]
#: What a pickle of lm-polygraph's may name; whatever else it names becomes an `_Opaque`.
_KNOWN = {
    ("collections", "defaultdict"): defaultdict,
    ("collections", "OrderedDict"): OrderedDict,
    ("_codecs", "encode"): lambda text, encoding: text.encode("latin-1"),  # how older pickles hold bytes
    ("builtins", "list"): list,
    ("builtins", "dict"): dict,
    ("builtins", "set"): set,
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    **{(f"numpy.{core}.multiarray", "_reconstruct"): _ARRAY for core in ("core", "_core")},
    **{(f"numpy.{core}.multiarray", "scalar"): _SCALAR for core in ("core", "_core")},
}


class _Opaque:
    """Anything that is not needed: a tensor, a function, an object of a package."""

    def __new__(cls, *arguments: Any, **named: Any) -> "_Opaque":
        return object.__new__(cls)

    def __init__(self, *arguments: Any, **named: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        pass

    def __call__(self, *arguments: Any) -> "_Opaque":
        return self

    def append(self, item: Any) -> None:
        """Take what a list would."""

    def __setitem__(self, key: Any, value: Any) -> None:
        pass


class _Reader(pickle.Unpickler):
    """Reads plain data and numpy's arrays; calls nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        return _KNOWN.get((module, name), _Opaque)

    def persistent_load(self, identifier: Any) -> Any:
        return _Opaque()


def load_manager(path: str | Path) -> dict[str, Any]:
    """Return the dictionary of a manager that lm-polygraph saved: ``stats``, ``gen_metrics``, ``estimations``.

    Raises
    ------
    ValueError
        If the file is none.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            (name,) = [name for name in archive.namelist() if name.endswith("data.pkl")]
            with archive.open(name) as file:
                manager = _Reader(file).load()
    except Exception as error:  # a damaged pickle raises whatever it meets
        raise ValueError(f"{path}: no manager that lm-polygraph saved ({error})") from None
    if not isinstance(manager, dict) or not isinstance(manager.get("stats"), dict):
        raise ValueError(f"{path}: no manager that lm-polygraph saved (no `stats`)")
    return manager
