"""The answer in a model's text: reasoning is stripped from it, and an output constraint holds of it or not."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

#: What models write their reasoning between, as ``<think>...</think>`` or ``[THINK]...[/THINK]``.
TAGS = ("think", "thinking", "thought", "reasoning", "seed:think")
#: A tag; one in quotation marks or code is spoken of and not used.
_TAG = re.compile(
    rf"(?<![`'\"])(?:<(?P<end>/)?(?:{'|'.join(TAGS)})>|\[(?P<bracket_end>/)?THINK\])", re.IGNORECASE
)
#: GPT-OSS answers in channels, of which `final` is the answer, and ends each with one of these.
_FINAL, _MESSAGE = "<|channel|>final", "<|message|>"
_CHANNEL_END = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
#: The same where special tokens are left out of the text.
_BARE_FIRST, _BARE_FINAL = "analysis", "assistantfinal"

CONSTRAINTS = ("choice", "regex", "json")
#: The parts of a regular expression that a grammar spells alike, and characters.
_PART = re.compile(r"\[[^\]\\]+\]|[?*+|()]|[\w <>/,:%-]")
#: No answer to a constrained request is longer than this; it bounds the time of a check.
LONGEST = 100_000


def final_answer(text: str) -> tuple[str, bool]:
    """Return the answer in a text, and whether reasoning was stripped from it.

    What a closing tag alone ends is reasoning: the chat template gave the opening. So is what an opening tag alone
    begins, where it begins a line. Reasoning that never ends leaves no answer. Takes time linear in the text.

    >>> final_answer("<think>Lima? Yes.</think>\\n\\nLima.")
    ('Lima.', True)
    >>> final_answer("Lima.")
    ('Lima.', False)
    """
    if "<|channel|>" in text:
        said = text.rpartition(_FINAL)[2].partition(_MESSAGE)[2] if _FINAL in text else ""
        return _CHANNEL_END.split(said, maxsplit=1)[0].strip(), True
    if text.startswith(_BARE_FIRST) and _BARE_FINAL in text:
        return text.partition(_BARE_FINAL)[2].strip(), True
    kept: list[str] = []
    at, opened, stripped = 0, None, False
    for tag in _TAG.finditer(text):
        if not (tag["end"] or tag["bracket_end"]):
            opened = tag.start() if opened is None else opened
            continue
        if opened is None:
            kept.clear()
        else:
            kept.append(text[at:opened])
        at, opened, stripped = tag.end(), None, True
    rest = text[at:opened]
    if opened is not None and rest.rpartition("\n")[2].strip():  # spoken of within a line
        rest, opened = text[at:], None
    stripped = stripped or opened is not None
    return ("".join([*kept, rest]).strip() if stripped else text), stripped


def check_constraint(constraint: Mapping[str, Any] | None) -> None:
    """Raise ValueError if `constraint` is neither None nor one constraint that can be obeyed."""
    if constraint is None:
        return
    if len(constraint) != 1 or not all(kind in CONSTRAINTS and value for kind, value in constraint.items()):
        raise ValueError(f"constraint must be one of {CONSTRAINTS} with its value, got {constraint!r}")
    try:
        meets("", constraint)
    except (ValueError, re.error) as error:
        raise ValueError(f"constraint: {dict(constraint)!r:.200}: {error}") from None


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
        return re.fullmatch(value, text) is not None
    validator = _validator(json.dumps(value, sort_keys=True))
    try:
        return validator.is_valid(json.loads(text, parse_constant=int))  # which takes no NaN
    except (ValueError, RecursionError):  # no JSON, a number of 5,000 digits, a thousand open brackets
        return False


@lru_cache(maxsize=256)
def _validator(schema: str) -> Any:
    import jsonschema  # slow to load, and only requests need it

    loaded = json.loads(schema)
    validator = jsonschema.validators.validator_for(loaded)
    try:
        validator.check_schema(loaded)
    except jsonschema.SchemaError as error:
        raise ValueError(f"not a JSON schema: {error.message}") from None
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
