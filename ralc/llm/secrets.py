"""Where no key may stand: addresses and arguments are written down, in requests, journals and logs."""

import re
from typing import Any
from urllib.parse import urlsplit

#: Names of arguments that hold a secret, by their last word.
_SECRET = re.compile(
    r"(?:.*_)?(?:api|access|auth)?(?:keys?(?:_id)?|token|auth(?:orization)?|bearer|pass(?:w(?:or)?d|phrase)?|secrets?"
    r"|credentials?|cookies?|headers?)"
)
#: Names that end so and hold none: parts of prompts, and how prompts are cached.
_PUBLIC = re.compile(
    r"(?:.*_)?(?:bos|eos|eot|pad|unk|sep|cls|mask|image|audio|video|start|end|[be]oi|special"
    r"|stop|prefix|suffix)_token|prompt_cache_key"
)


def plain_address(value: str, remedy: str) -> str:
    """Return the address of a server, which must be one and hold nothing else.

    Raises
    ------
    ValueError
        Without the value, in which a key may stand; `remedy` says where a key belongs.
    """
    try:
        parts = urlsplit(value)
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        known = False
    if not known or re.search(r"[\s\x00-\x1f]", value):
        raise ValueError("must be an address like http://localhost:8000/v1")
    if "@" in parts.netloc or re.search(r"[?#;&]", value):
        raise ValueError(f"must hold no user name, password or query: {remedy}")
    return value


def secret_in(arguments: Any) -> str | None:
    """Return the first name in nested arguments that holds a secret, if any does.

    >>> secret_in({"extra": [{"X-API-Key": "..."}]}), secret_in({"hf_overrides": {"eos_token": "</s>"}})
    ('X-API-Key', None)
    """
    if isinstance(arguments, dict):
        for name, value in arguments.items():
            plain = (
                re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|\W+", "_", str(name)).lower().strip("_")
            )
            if not isinstance(value, bool) and _SECRET.fullmatch(plain) and not _PUBLIC.fullmatch(plain):
                return str(name)
    below = arguments.values() if isinstance(arguments, dict) else arguments
    return next(filter(None, map(secret_in, below)), None) if isinstance(arguments, dict | list) else None
