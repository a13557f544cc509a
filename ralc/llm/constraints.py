"""Output constraints: what they may be, whether a text meets one, and their grammars for llama.cpp."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jsonschema

KINDS = ("choice", "regex", "json", "grammar")

#: A regular expression in parts that a grammar spells alike, and characters.
_PART = re.compile(r"\[(?:\\.|[^\]\\])+\]|\{\d+(?:,\d*)?\}|[?*+|()]|\\.|.", re.DOTALL)
#: No answer to a constrained request is longer than this; it bounds the time of a check.
LONGEST = 100_000


def check_constraint(constraint: Mapping[str, Any] | None) -> None:
    """Raise ValueError if `constraint` is neither None nor one constraint that can be obeyed."""
    if constraint is None:
        return
    if not isinstance(constraint, Mapping) or len(constraint) != 1 or next(iter(constraint)) not in KINDS:
        raise ValueError(f"constraint must be one of {KINDS} with its value, got {constraint!r}")
    ((kind, value),) = constraint.items()
    if kind == "choice" and not (value and all(isinstance(c, str) and c for c in value)):
        raise ValueError(f"constraint: choice must be a list of texts, got {value!r}")
    if kind in ("regex", "grammar") and not (isinstance(value, str) and value):
        raise ValueError(f"constraint: {kind} must be a text, got {value!r}")
    if kind == "regex":
        _pattern(value)
    if kind == "json":
        _validator(json.dumps(value, sort_keys=True))


def meets(text: str, finish_reason: str, constraint: Mapping[str, Any] | None) -> bool:
    """Whether an answer meets its request's constraint.

    White space around the answer is not counted. A grammar is the engine's to enforce: an answer
    that it let end is taken to meet it, one cut at ``max_tokens`` is not.

    >>> meets("7", "stop", {"regex": "[0-9]"}), meets("3/10", "stop", {"regex": "[0-9]+"})
    (True, False)
    """
    if constraint is None:
        return True
    if len(text) > LONGEST:
        return False
    ((kind, value),) = constraint.items()
    text = text.strip()
    if kind == "choice":
        return text in [choice.strip() for choice in value]
    if kind == "regex":
        return _pattern(value).fullmatch(text) is not None
    if kind == "json":
        return _is_json(text, json.dumps(value, sort_keys=True))
    return finish_reason == "stop"


def _is_json(text: str, schema: str) -> bool:
    try:
        return _validator(schema).is_valid(json.loads(text, parse_constant=_no_constant))
    except (ValueError, RecursionError):  # a number of 5,000 digits, a thousand open brackets
        return False


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


@lru_cache(maxsize=256)
def _pattern(regex: str) -> re.Pattern[str]:
    try:
        return re.compile(regex)
    except re.error as error:
        raise ValueError(f"constraint: regex {regex!r}: {error}") from None


@lru_cache(maxsize=256)
def _validator(schema: str) -> jsonschema.protocols.Validator:
    loaded = json.loads(schema)
    validator = jsonschema.validators.validator_for(loaded)
    try:
        validator.check_schema(loaded)
    except jsonschema.SchemaError as error:
        raise ValueError(f"constraint: json: not a JSON schema: {error.message}") from None
    return validator(loaded)


def grammar_of(constraint: Mapping[str, Any]) -> str:
    """A grammar in GBNF of a choice, of a regular expression of plain parts, or the one that a constraint is.

    >>> grammar_of({"choice": ["yes", "no"]}), grammar_of({"regex": "[1-9]?[0-9]|100"})
    ('root ::= "yes" | "no"', 'root ::= [1-9] ? [0-9] | "1" "0" "0"')

    Raises
    ------
    ValueError
        If a regular expression holds something a grammar cannot express (look-around, back-references, anchors).
    """
    ((kind, value),) = constraint.items()
    if kind == "choice":
        return "root ::= " + " | ".join(json.dumps(choice, ensure_ascii=False) for choice in value)
    if kind == "grammar":
        return value
    plain = value.removeprefix("^").removesuffix("$").replace("(?:", "(")
    parts = [_spelt(part, value) for part in _PART.findall(plain)]
    if "(?" in plain:
        raise ValueError(f"constraint: regex {value!r}: (? cannot be expressed in a grammar")
    return "root ::= " + " ".join(parts)


def _spelt(part: str, regex: str) -> str:
    """A part of a regular expression in a grammar."""
    if part in "?*+|()" or part[0] == "{":
        return part
    part = {r"\d": "[0-9]", r"\w": "[a-zA-Z0-9_]", r"\s": r"[ \t\n\r]", ".": r"[^\n]"}.get(part, part)
    if len(part) > 2 and part[0] == "[" and not re.search(r"\\[dwsDWSbB]", part):
        return part
    if part in "^$" or (part[0] == "\\" and part[1].isalnum()) or part[0] == "[":
        raise ValueError(f"constraint: regex {regex!r}: {part} cannot be expressed in a grammar")
    return json.dumps(part[-1], ensure_ascii=False)
