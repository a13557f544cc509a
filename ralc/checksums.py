"""A checksum in a JSON object, so that a file that was damaged is not read as another one."""

import hashlib
import json
from typing import Any


def digest(value: Any) -> str:
    """SHA-256 of a JSON value, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def sealed(value: Any) -> dict[str, Any]:
    """Return a JSON object that holds a value and its checksum; what is no object is its `rows`.

    >>> sealed([1, 2])
    {'rows': [1, 2], 'sha256': '6d7de5a8faabb2a3'}
    """
    plain = json.loads(json.dumps(value))
    whole = plain if isinstance(plain, dict) else {"rows": plain}
    return whole | {"sha256": digest(whole)[:16]}


def opened(data: Any) -> Any:
    """Return the value that `sealed` was given.

    Raises
    ------
    ValueError
        If it is not what was written.
    """
    whole = {key: value for key, value in data.items() if key != "sha256"} if isinstance(data, dict) else None
    if whole is None or data.get("sha256") != digest(whole)[:16]:
        raise ValueError("sha256: the checksum is not that of the rest, so something was changed")
    return whole["rows"] if list(whole) == ["rows"] else whole
