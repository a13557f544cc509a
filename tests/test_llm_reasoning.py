"""Answers in the chat schema: reasoning stripped, log-probabilities of the answer alone."""

import copy
import math
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.llm import Request
from ralc.llm.chat import BadReplyError, answer_tokens, answers
from ralc.llm.reasoning import final_answer
from ralc.llm.tables import responses_table


@pytest.mark.parametrize(
    ("text", "answer", "stripped"),
    [
        ("Lima.", "Lima.", False),
        ("", "", False),
        ("<think>\nPeru? Lima.\n</think>\n\nLima.", "Lima.", True),
        ("Peru? Lima.\n</think>\n\nLima.", "Lima.", True),  # the template gave the opening
        ("<think>\n\n</think>\n\nLima.", "Lima.", True),
        ("<think>Is it Lima? Or", "", True),
        ("[THINK]Hm.[/THINK]Lima.", "Lima.", True),
        (
            "<|channel|>analysis<|message|>Peru.<|end|><|start|>assistant<|channel|>final<|message|>Lima.<|return|>",
            "Lima.",
            True,
        ),
        ("<|channel|>analysis<|message|>Peru, so it mu", "", True),
        ("<|channel|>final<|message|>Li", "Li", True),
        ("<|channel|>final <|constrain|>json<|message|>{}<|return|>", "{}", True),
        ("analysisPeru. Lima.assistantfinalLima.", "Lima.", True),
        ("analysis of the question: none", "analysis of the question: none", False),
        ("I think <b>so</b>", "I think <b>so</b>", False),
        ("<thinking>Peru.</thinking>Lima.", "Lima.", True),
        ("<Reasoning>\nPeru.\n</Reasoning>\nLima.", "Lima.", True),
        ("Peru.</reasoning>\nLima.", "Lima.", True),
        ("<reasoning>Peru, so it mu", "", True),
        ("Lima.\n<think>Was that right? Yes.</think>", "Lima.", True),
        ("<think>a</think>Lima.\n<think>b", "Lima.", True),
        ("<think>a <think>b</think> c</think>Lima.", "Lima.", True),
        ("DeepSeek writes `<think>` and `</think>`.", "DeepSeek writes `<think>` and `</think>`.", False),
        ("It begins with the tag <think>.", "It begins with the tag <think>.", False),
    ],
)
def test_final_answer(text, answer, stripped):
    assert final_answer(text) == (answer, stripped)


@given(st.text(st.sampled_from("<|>/think[]THINK analysisfinalmessagechannel")))
def test_final_answer_survives_anything(text):
    answer, stripped = final_answer(text)
    assert stripped or answer == text
    assert len(answer) <= len(text)


@pytest.mark.parametrize(
    ("tokens", "text", "kept"),
    [
        (["Par", "is", ""], "Paris", 2),  # end of turn as llama.cpp shows it
        (["Par", "is", "<|im_end|>"], "Paris", 2),  # as others do
        (["The", " capital", " is"], "The capital", 2),  # a stop text
        (["Lima", "?", "</think>", "\n\n", "Lima", "."], "Lima.", 2),  # reasoning before
        (["\n", "Lima"], "Lima", 1),
        (["Li", "ma"], "L?", 2),  # changed by the server: all tokens
        ([""], "", 0),
    ],
)
def test_logprobs_of_the_answer_alone(tokens, text, kept):
    pairs = [(token.encode(), -float(i)) for i, token in enumerate(tokens)]
    found = answer_tokens(pairs, text)
    assert len(found) == kept


REQUEST = Request("m", ({"role": "user", "content": "q"},), n=2, logprobs=True)


def reply(logprobs, content="Lima"):
    return {
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"content": content}, "logprobs": logprobs}
        ]
    }


def test_what_an_answer_could_have_begun_with_stands_behind_its_reasoning():
    said = [("<think>", -1), ("so", -2), ("</think>", -3), ("Lima", -4), (".", -5)]
    listed = [
        {
            "token": token,
            "logprob": at,
            "top_logprobs": [{"token": "x", "logprob": at}, {"token": "y", "logprob": -9}],
        }
        for token, at in said
    ]
    request = replace(REQUEST, n=1, alternatives=("x", "y"))
    (answer,) = answers(reply({"content": listed}, "<think>so</think>Lima."), request, echoes=False)
    assert (answer.text, answer.alternatives) == ("Lima.", (-4, -9))
    (alone,) = answers(reply({"content": listed[3:]}), replace(request, alternatives=("x",)), echoes=False)
    assert alone.alternatives == (-4,)


TOKENS = [
    {"token": "hi", "bytes": [104, 105], "logprob": -1.0, "top_logprobs": [{"token": "a", "logprob": -2.0}]}
]
RIGHT = reply({"content": TOKENS}, "hi") | {"usage": {"prompt_tokens": 3, "completion_tokens": 1}}
ODD = [None, True, -1, 2, 10**30, -(10**400), math.nan, math.inf]
ODD += ["", "x", "\ud800", [], {}, [300], [[-1]], {"a": 1}]


def places(value, at=()):
    """The way to each value inside a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way for name, part in inside for way in [(*at, name), *places(part, (*at, name))]]


@pytest.mark.parametrize("place", places(RIGHT), ids=str)
@pytest.mark.parametrize("echoes", [True, False])
def test_a_right_reply_with_one_odd_value_is_read_or_refused_and_fits_a_table(place, echoes):
    request = replace(REQUEST, alternatives=("a", ""), constraint={"json": {"type": "object"}})
    for value in ODD:
        odd = copy.deepcopy(RIGHT)
        holder = reduce(lambda part, name: part[name], place[:-1], odd)
        holder[place[-1]] = value
        try:
            found = answers(odd, request, echoes=echoes)
        except BadReplyError:
            continue
        assert len(responses_table(found)) == 1


def test_reasoning_tokens_are_counted():
    tokens = [{"token": t, "logprob": -1.0} for t in ("<think>", "Peru", "</think>", "Lima", "<|im_end|>")]
    (answer,) = answers(reply({"content": tokens}, "<think>Peru</think>Lima"), REQUEST, echoes=False)
    assert (answer.text, answer.token_logprobs, answer.completion_tokens) == ("Lima", (-1.0,), 5)
    assert answer.reasoning_tokens == 4
