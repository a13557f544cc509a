"""Habits of servers that speak the OpenAI schema: fields that a refusal names, waits, copies from a cache.

The engine `openai` and `ralc serve` share them.
"""

import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

#: Statuses of a refusal that may be of a field; the others are of keys, rates and the server itself.
FIELD_REFUSALS = (400, 403, 404, 405, 406, 409, 415, 422, 501)
_LONGEST_WAIT_S = 600.0
#: How servers refuse several answers a call, mostly without the field's name.
_ONE_ANSWER = re.compile(
    r"\bn\b *(?:[<>=!]|must|should|has to|can|is not|not)|\bn ?[=:>] ?\d|"
    r"\b(?:only (?:one|a single|1)|multiple|several) (?:\w+ )?(?:completion|candidate|choice|generation)",
    re.IGNORECASE,
)
#: Other spellings of a field in prose.
_SPELLINGS = {"logprobs": r"log[ -]?prob(?:s|abilit(?:y|ies))?", "top_logprobs": r"top[_ ]log[ -]?probs?"}


def refusal_text(body: Any) -> str:
    """Return what a server says is wrong, with the field that it names beside it.

    >>> refusal_text({"error": {"message": "Not here.", "param": "seed"}})
    "Not here. ('seed')"
    """
    param = ""
    for name in ("error", "message", "detail"):
        if isinstance(body, Mapping) and body.get(name):
            param = param or str(body.get("param") or "")
            body = body[name]
    text = body if isinstance(body, str) else json.dumps(body, default=str)
    return f"{text} ('{param}')" if param else text


def names_field(refusal: str, field: str) -> bool:
    """Return whether a refusal names a field of the request.

    >>> names_field("No endpoints found that support: top_logprobs", "top_logprobs"), names_field("n must be 1", "n")
    (True, True)
    """
    if any(f"{mark}{field}{mark}" in refusal for mark in "'`\""):
        return True
    if field == "n":
        return bool(_ONE_ANSWER.search(refusal))
    return bool(re.search(rf"\b{_SPELLINGS.get(field, re.escape(field))}\b", refusal, re.IGNORECASE))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait, in [0, 600]; None if it does not say.

    >>> retry_after({"retry-after": "2"}), retry_after({})
    (2.0, None)
    """
    value = headers.get("retry-after", "")
    with suppress(ValueError):
        return min(max(0.0, float(value)), _LONGEST_WAIT_S)
    with suppress(ValueError, TypeError, OverflowError):
        return min(max(parsedate_to_datetime(value).timestamp() - time.time(), 0.0), _LONGEST_WAIT_S)
    return None


def from_cache(headers: Iterable[tuple[str, str]]) -> bool:
    """Return whether the headers of a reply say that a cache answered.

    >>> from_cache([("X-Cache", "HIT from edge")]), from_cache([("cf-aig-cache-status", "MISS")])
    (True, False)
    """
    return any(
        "cache" in name.lower()
        and (
            re.search(r"\bhit\b", value, re.IGNORECASE) or ("hit" in name.lower() and value.lower() == "true")
        )
        for name, value in headers
    )


class Identity(NamedTuple):
    """What tells a reply from a copy: text, id, time, whether a cache says that it answered, the request's seed."""

    text: str
    id: Any
    created: Any
    cached: bool
    seed: int | None


def copies(replies: Sequence[Identity]) -> list[bool]:
    """Return of each reply whether it is a copy of an earlier one, and so no sample of its own.

    A copy has the text of an earlier reply, and its id, or a cache answered. A server that gives different texts one
    id says nothing by it: there a copy has the time of an earlier one, too, and neither was asked for by a seed.

    >>> first = Identity("Lima", "a", 1, False, None)
    >>> copies([first, first, first._replace(id="b"), first._replace(id="c", cached=True)])
    [False, True, False, True]
    """
    texts: dict[Any, set[str]] = {}
    for reply in replies:
        texts.setdefault(reply.id, set()).add(reply.text)
    found = []
    for place, reply in enumerate(replies):
        telling = bool(reply.id) and len(texts[reply.id]) == 1
        alike = [one for one in replies[:place] if one.text == reply.text]
        found.append(
            any(
                reply.cached
                or (one.id == reply.id and telling)
                or (one.id == reply.id and one.created == reply.created and one.seed is reply.seed is None)
                for one in alike
            )
        )
    return found
