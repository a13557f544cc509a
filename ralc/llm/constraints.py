"""Output constraints: what they may be, whether a text meets one, and their grammars for llama.cpp."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jsonschema

KINDS = ("choice", "regex", "json")

#: The parts of a regular expression that a grammar spells alike, and characters.
_PART = re.compile(r"\[[^\]\\]+\]|[?*+|()]|[\w <>/,:%-]")
#: No answer to a constrained request is longer than this; it bounds the time of a check.
LONGEST = 100_000


def check_constraint(constraint: Mapping[str, Any] | None) -> None:
    """Raise ValueError if `constraint` is neither None nor one constraint that can be obeyed."""
    if constraint is None:
        return
    if len(constraint) != 1 or not all(kind in KINDS and value for kind, value in constraint.items()):
        raise ValueError(f"constraint must be one of {KINDS} with its value, got {constraint!r}")
    ((kind, value),) = constraint.items()
    if kind == "regex":
        _pattern(value)
    if kind == "json":
        _validator(json.dumps(value, sort_keys=True))


def meets(text: str, constraint: Mapping[str, Any] | None) -> bool:
    """Whether an answer meets its request's constraint; white space around it is not counted.

    >>> meets("7", {"regex": "[0-9]"}), meets("3/10", {"regex": "[0-9]+"})
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
    return _is_json(text, json.dumps(value, sort_keys=True))


def _is_json(text: str, schema: str) -> bool:
    def no_constant(name: str) -> None:
        raise ValueError(f"{name} is not JSON")

    try:
        return _validator(schema).is_valid(json.loads(text, parse_constant=no_constant))
    except (ValueError, RecursionError):  # a number of 5,000 digits, a thousand open brackets
        return False


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
    """A grammar in GBNF of a choice, or of a regular expression of plain characters and classes.

    >>> grammar_of({"choice": ["yes", "no"]}), grammar_of({"regex": "[1-9]?[0-9]|100"})
    ('root ::= "yes" | "no"', 'root ::= [1-9] ? [0-9] | "1" "0" "0"')
    """
    ((kind, value),) = constraint.items()
    if kind == "choice":
        return "root ::= " + " | ".join(json.dumps(choice, ensure_ascii=False) for choice in value)
    parts = _PART.findall(value)
    if "".join(parts) != value or "(?" in value:
        raise ValueError(f"constraint: regex {value!r} cannot be expressed in a grammar")
    return "root ::= " + " ".join(part if part[0] in "[?*+|()" else json.dumps(part) for part in parts)
