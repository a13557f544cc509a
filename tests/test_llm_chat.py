"""The answer in a text and in a reply in the chat schema: reasoning stripped, constraints, log-probabilities."""

import copy
import math
import re
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.llm import Request
from ralc.llm.chat import BadReplyError, answer_tokens, answers, final_answer
from ralc.llm.requests import grammar_of, meets
from ralc.llm.tables import responses_table
from tests.cases import cases


@cases
def test_reasoning_is_no_part_of_the_answer(text, answer, stripped):
    assert final_answer(text) == (answer, stripped)


@given(st.text(st.sampled_from("<|>/think[]THINK analysisfinalmessagechannel")))
def test_final_answer_survives_anything(text):
    answer, stripped = final_answer(text)
    assert stripped or answer == text
    assert len(answer) <= len(text)


INTEGERS = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
IDS = {"json": {"type": "object", "properties": {"ids": INTEGERS}, "required": ["ids"]}}
IDS["json"]["additionalProperties"] = False
SCORE = {"regex": r"100|[1-9]?[0-9]"}
LETTER = {"choice": ["A", "B", "C"]}


@pytest.mark.parametrize(
    ("constraint", "good", "bad"),
    [
        (None, ["anything"], []),
        (LETTER, ["B", " B\n"], ["B.", "b", ""]),
        (SCORE, ["85", "100", "0"], ["3/10", "101", "085", "1" * 200_000]),
        (IDS, ['{"ids": [0, 1]}'], ['{"ids": [0]}', '{"ids": [0, 1.5]}', '{"ids": [0, 1], "x": 1}']),
        (IDS, [], ['{"ids": [0, NaN]}', '{"ids": [0, 1', "[" * 50_000, f'{{"ids": [{"9" * 90_000}, 1]}}']),
    ],
)
def test_what_meets_a_constraint(constraint, good, bad):
    assert all(meets(text, constraint) for text in good)
    assert not any(meets(text, constraint) for text in bad)


@given(st.text())
def test_meets_survives_any_text(text):
    for constraint in (IDS, SCORE, LETTER):
        assert meets(text, constraint) in (True, False)


@pytest.mark.parametrize("regex", [r"(?!a)b", r"(a)\1", r"a\bb", r"a$b", r"[\W]", r"(?i:a)"])
def test_regex_without_a_grammar_is_named(regex):
    with pytest.raises(ValueError, match=re.escape(repr(regex))):
        grammar_of({"regex": regex})


@cases
def test_tokens_of_the_answer_alone(tokens, text, kept):
    assert len(answer_tokens([token.encode() for token in tokens], text)) == kept


REQUEST = Request("m", ({"role": "user", "content": "q"},), n=2, logprobs=True)


def reply(tokens, content="Lima"):
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "finish_reason": "stop", "message": message, "logprobs": {"content": tokens}}
    return {"choices": [choice]}


def test_reasoning_is_counted_and_alternatives_stand_behind_it():
    said = [("<think>", -1), ("so", -2), ("</think>", -3), ("Lima", -4), ("<|im_end|>", -5)]
    likely = [{"token": "y", "logprob": -9}]
    listed = [
        {"token": token, "logprob": at, "top_logprobs": [{"token": "x", "logprob": at}, *likely]}
        for token, at in said
    ]
    request = replace(REQUEST, n=1, alternatives=("x", "y"))
    (answer,) = answers(reply(listed, "<think>so</think>Lima"), request, echoes=False)
    assert answer.text == "Lima"
    assert answer.alternatives == (-4, -9)
    assert answer.token_logprobs == (-4,)
    assert answer.completion_tokens == 5
    assert answer.reasoning_tokens == 4
    (alone,) = answers(reply(listed[3:]), replace(request, alternatives=("x",)), echoes=False)
    assert alone.alternatives == (-4,)


LISTED = [{"token": "a", "logprob": -2.0}]
TOKENS = [{"token": "hi", "bytes": [104, 105], "logprob": -1.0, "top_logprobs": LISTED}]
RIGHT = reply(TOKENS, "hi") | {"usage": {"prompt_tokens": 3, "completion_tokens": 1}}
ODD = [None, True, -1, 2, 10**30, -(10**400), math.nan, math.inf]
ODD += ["", "x", "\ud800", [], {}, [300], [[-1]], {"a": 1}]


def places(value, at=()):
    """The way to each value inside a value."""
    inside = enumerate(value) if isinstance(value, list) else ()
    inside = value.items() if isinstance(value, dict) else inside
    return [way for name, part in inside for way in [(*at, name), *places(part, (*at, name))]]


@pytest.mark.parametrize("echoes", [True, False])
def test_a_right_reply_with_one_odd_value_is_read_or_refused_and_fits_a_table(echoes):
    request = replace(REQUEST, alternatives=("a", ""), constraint={"json": {"type": "object"}})
    for place in places(RIGHT):
        for value in ODD:
            odd = copy.deepcopy(RIGHT)
            reduce(lambda part, name: part[name], place[:-1], odd)[place[-1]] = value
            try:
                found = answers(odd, request, echoes=echoes)
            except BadReplyError:
                continue
            assert len(responses_table(found)) == 1, (place, value)
