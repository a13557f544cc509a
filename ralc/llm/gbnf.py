"""Output constraints in llama.cpp's terms: JSON schemas, and grammars in GBNF."""

import json
from collections.abc import Iterable, Mapping
from re import _parser  # type: ignore[attr-defined]  # the one parser of the syntax that re compiles
from typing import Any


def constrained(constraint: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a request body for llama.cpp says of an output constraint.

    The server's ``response_format`` is not used: it lets an answer stand in a Markdown fence, and a small model
    pads its JSON with white space until ``max_tokens``.
    """
    if constraint is None:
        return {}
    ((kind, value),) = constraint.items()
    if kind == "json":
        import xllamacpp

        return {"grammar": xllamacpp.json_schema_to_grammar(value | {"x-guidance": _COMPACT})}
    return {"grammar": {"choice": choice_grammar, "regex": regex_grammar, "grammar": str}[kind](value)}


#: How llguidance, which llama.cpp's prebuilt wheels carry, sets JSON; unknown to others, and ignored.
_COMPACT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}


def choice_grammar(choices: list[str]) -> str:
    """A grammar of the given texts.

    >>> choice_grammar(["yes", "no"])
    'root ::= "yes" | "no"'
    """
    return "root ::= " + " | ".join(_text(choice) for choice in choices)


def regex_grammar(regex: str) -> str:
    """A grammar of the texts that `regex` matches whole (the part of Python's syntax that is regular).

    >>> regex_grammar("[1-9]?[0-9]|100")
    'root ::= [1-9]? [0-9] | "100"'

    Raises
    ------
    ValueError
        If it holds something a grammar cannot express (look-around, back-references, inner anchors).
    """
    parsed = list(_parser.parse(regex))
    if parsed and parsed[0] == (_parser.AT, _parser.AT_BEGINNING):
        parsed = parsed[1:]
    if parsed and parsed[-1] == (_parser.AT, _parser.AT_END):
        parsed = parsed[:-1]
    return "root ::= " + (_sequence(parsed, regex) or '""')


def _sequence(nodes: Iterable[tuple[Any, Any]], regex: str) -> str:
    """A sequence of nodes, neighbouring characters as one text."""
    parts: list[str] = []
    text = ""
    for kind, value in nodes:
        if kind is _parser.LITERAL:
            text += chr(value)
            continue
        parts += [_text(text)] if text else []
        text = ""
        parts.append(_node(kind, value, regex))
    return " ".join([*parts, _text(text)] if text else parts)


def _node(kind: Any, value: Any, regex: str) -> str:
    if kind is _parser.ANY:
        return r"[^\n]"
    if kind is _parser.NOT_LITERAL:
        return f"[^{_character(value)}]"
    if kind is _parser.IN:
        return _class(value, regex)
    if kind is _parser.SUBPATTERN and not (value[1] or value[2]):
        return f"({_sequence(value[3], regex)})"
    if kind is _parser.BRANCH:
        return " | ".join(_sequence(branch, regex) or '""' for branch in value[1])
    if kind in (_parser.MAX_REPEAT, _parser.MIN_REPEAT):
        return _repeat(*value, regex)
    raise ValueError(f"constraint: regex {regex!r}: {str(kind).lower()} cannot be expressed in a grammar")


def _repeat(low: int, high: int, nodes: Iterable[tuple[Any, Any]], regex: str) -> str:
    """A repeated part; which repeat is tried first (greedy or not) does not change what matches."""
    part = _sequence(nodes, regex)
    unbounded = high is _parser.MAXREPEAT
    if (low, high) == (0, 1):
        times = "?"
    else:
        times = {0: "*", 1: "+"}.get(low, f"{{{low},}}") if unbounded else f"{{{low},{high}}}"
    single = len(list(nodes)) == 1 and part[0] in "[("
    return part + times if single else f"({part}){times}"


def _class(items: Iterable[tuple[Any, Any]], regex: str) -> str:
    """A class of characters."""
    inside, negated = "", ""
    for kind, value in items:
        if kind is _parser.NEGATE:
            negated = "^"
        elif kind is _parser.LITERAL:
            inside += _character(value)
        elif kind is _parser.RANGE:
            inside += f"{_character(value[0])}-{_character(value[1])}"
        elif kind is _parser.CATEGORY and str(value).lower() in _CATEGORIES:
            inside += _CATEGORIES[str(value).lower()]
        else:
            raise ValueError(
                f"constraint: regex {regex!r}: {str(value).lower()} cannot be expressed in a grammar"
            )
    return f"[{negated}{inside}]"


#: ASCII alone: an answer of Arabic digits would meet Python's \\d and surprise every reader.
_CATEGORIES = {"category_digit": "0-9", "category_word": "a-zA-Z0-9_", "category_space": r" \t\n\r"}


def _character(code: int) -> str:
    """A character inside a class."""
    character = chr(code)
    if character.isalnum() and code < 128:
        return character
    return f"\\x{code:02X}" if code < 256 else f"\\u{code:04X}" if code < 65536 else f"\\U{code:08X}"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
