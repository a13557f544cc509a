"""Output constraints: what meets them, what they cannot be, and their grammars."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.llm.constraints import grammar_of, meets

IDS = {
    "json": {
        "type": "object",
        "properties": {
            "semantic_ids": {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
        },
        "required": ["semantic_ids"],
        "additionalProperties": False,
    }
}
SCORE = {"regex": r"100|[1-9]?[0-9]"}
LETTER = {"choice": ["A", "B", "C"]}


@pytest.mark.parametrize(
    ("text", "constraint", "expected"),
    [
        ("anything", None, True),
        ("B", LETTER, True),
        (" B\n", LETTER, True),
        ("B.", LETTER, False),
        ("b", LETTER, False),
        ("", LETTER, False),
        ("85", SCORE, True),
        ("3/10", SCORE, False),
        ("101", SCORE, False),
        ("085", SCORE, False),
        ('{"semantic_ids": [0, 1]}', IDS, True),
        ('{"semantic_ids": [0]}', IDS, False),
        ('{"semantic_ids": [0, 1.5]}', IDS, False),
        ('{"semantic_ids": [0, 1], "x": 1}', IDS, False),
        ('{"semantic_ids": [0, NaN]}', IDS, False),
        ('{"semantic_ids": [0, 1', IDS, False),
        ("[" * 50_000, IDS, False),
        ('{"semantic_ids": [' + "9" * 90_000 + ", 1]}", IDS, False),
        ("1" * 200_000, SCORE, False),
    ],
)
def test_meets(text, constraint, expected):
    assert meets(text, constraint) is expected


@given(st.text())
def test_meets_survives_any_text(text):
    for constraint in (IDS, SCORE, LETTER):
        assert meets(text, constraint) in (True, False)


@pytest.mark.parametrize("regex", [r"(?!a)b", r"(a)\1", r"a\bb", r"a$b", r"[\W]", r"(?i:a)"])
def test_regex_without_a_grammar_is_named(regex):
    with pytest.raises(ValueError, match=re.escape(repr(regex))):
        grammar_of({"regex": regex})


def test_a_choice_is_quoted_in_its_grammar():
    assert grammar_of({"choice": ['say "x"', "a\\b"]}) == r'root ::= "say \"x\"" | "a\\b"'
