"""Every parser on what a small model really replied: data/odd_replies.jsonl.

The replies are SmolLM2-135M-Instruct's to the prompts of the roles, without their output constraints, at temperature
0.7 and at 1 without cuts. Each parser meets all of them, also those to other roles.
"""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from ralc.clustering import parse_clusters
from ralc.evaluators import load
from ralc.evaluators.ensemble import parse_score
from ralc.grading.grader import parse_grade
from ralc.llm.replies import clean_reply
from ralc.rewriting.requests import free_text
from ralc.sampling import clean_answer

LINES = (Path(__file__).parent / "data" / "odd_replies.jsonl").read_text(encoding="utf-8").splitlines()
ODD = pd.DataFrame(map(json.loads, LINES))
REPLIES = ODD["reply"].tolist()


def to(stage: str) -> list[str]:
    """The replies to one stage."""
    return ODD.loc[ODD["stage"] == stage, "reply"].tolist()


@pytest.mark.parametrize("reply", REPLIES)
def test_a_score_is_a_whole_reply_of_an_integer_or_nothing(reply):
    score = parse_score(reply)
    bare = re.fullmatch(r"\s*(0|[1-9][0-9]?|100)\s*", reply, flags=re.ASCII)
    assert score == (int(bare.group(1)) / 100 if bare else None)


@pytest.mark.parametrize("reply", REPLIES)
def test_clusters_are_a_list_of_the_right_length_or_nothing(reply):
    for count in (1, 3, 8):
        clusters = parse_clusters(reply, count)
        assert clusters is None or (len(clusters) == count and clusters[0] == 0 and max(clusters) < count)


def test_clusters_that_the_model_did_give():
    assert parse_clusters('{\n"semantic_ids": [0, 0, 1]\n}', 3) == [0, 0, 1]
    given = [reply for reply in to("cluster") if any(parse_clusters(reply, n) for n in range(1, 30))]
    assert 0 < len(given) < len(to("cluster"))  # some are usable as they are, most are not


def test_a_grade_is_never_guessed():
    letters = [reply for reply in REPLIES if re.fullmatch(r"\W*[ABC]\W*", reply.strip(), flags=re.ASCII)]
    graded = [reply for reply in REPLIES if parse_grade(reply) != "unparsed"]
    assert graded == letters
    assert parse_grade("The answer is A. B. C.") == "unparsed"


@pytest.mark.parametrize("reply", REPLIES)
def test_a_rewrite_is_one_line_of_words_or_the_original(reply):
    text = free_text(reply, cut=False, original="It is Paris.")
    assert text is None or ("\n" not in text and text == text.strip())
    assert (clean_reply(reply) is None) <= (text is None)


@pytest.mark.parametrize("style", ["paper", "short"])
def test_answers_are_cleaned_and_read(style):
    answers = [clean_answer(reply, "direct", style, cut=True) for reply in REPLIES]
    evaluator = load("cue_model")
    legible = [answer for answer in answers if not evaluator.unread(answer)]
    assert len(legible) > len(answers) / 2
    confidence = evaluator.read(legible)
    assert ((confidence.mean > 0) & (confidence.mean < 1)).all()
