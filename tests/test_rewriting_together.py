"""The sentences of a long answer in the workflow: rewritten together, each read as it is in the whole."""

import pandas as pd
import pytest

from ralc import readers, rewriting
from ralc.calibrator.vocabulary import built_in_lexicon
from ralc.config import parse_config
from ralc.pipeline import rewrite_plan, texts
from ralc.readers.by_sentence import read_sentences

SENTENCES = ["Ann Lee was born in Oslo in 1956.", "She has written three novels.", "She lives in Bergen."]
WHOLE = f"Sure!\n\n{' '.join(SENTENCES)}"
MEANS = {"ralc": [0.95, 0.6, 0.62], "constant_hedge": [0.7] * 3}


@pytest.fixture(scope="module")
def lexicon():
    return built_in_lexicon().table


def plan(lexicon, **choices):
    """The plan of one answer, by RALC and by a constant hedge, and beside them a short answer."""
    long = {"question_id": "q", "prompt": "direct", "target": "m", "whole": WHOLE}
    answers = pd.DataFrame(
        [long | {"sentence": at, "text": text} for at, text in enumerate(SENTENCES)]
        + [long | {"question_id": "short", "sentence": 0, "text": "Paris.", "whole": None}]
    )
    asked = [(method, "q", at, mean) for method, own in MEANS.items() for at, mean in enumerate(own)]
    retrieved = pd.DataFrame(
        {"target": "m", "train": "d", "signal": "support", "variant": "default", "hedges": ["probably"]}
        | {"method": method, "question_id": name, "sentence": at, "alpha": 10 * mean, "beta": 10 - 10 * mean}
        for method, name, at, mean in [*asked, ("ralc", "short", 0, 0.7)]
    )
    questions = pd.DataFrame({"question_id": ["q", "short"], "question": ["Tell me of Ann Lee.", "Where?"]})
    return rewrite_plan.plan(questions, answers, retrieved, lexicon, **choices)


def rewritten(planned, lexicon, **told):
    """What each condition of a plan says, and what is read of it."""
    tasks, cues = rewrite_plan.tasks(planned), {"cues": {"method": "cues"}}
    how = {"method": "guided", "lexicon": lexicon, "reader": cues, "how": {"sure": 0.9, **told}}
    found = rewriting.list_candidates(tasks, None, None, **how)
    read = readers.load("cues").readings(rewriting.to_be_read(found))
    made = rewriting.choose(tasks, found, read, seed=0)
    asked = pd.DataFrame({"question_id": ["q", "short"], "dataset": "d"})
    listed = texts.list_rewrites(planned, made, asked)
    return (
        planned[["method", "question_id", "sentence", "task"]]
        .merge(made, on="task")
        .assign(read=listed["text"].to_numpy())
    )


def test_sentences_of_one_level_share_a_hedge_and_inherit_its_reading(lexicon):
    made = rewritten(plan(lexicon, together=True), lexicon)
    ours = made[(made["method"] == "ralc") & (made["question_id"] == "q")]
    assert ours["text"].tolist() == SENTENCES
    assert ours["origin"].tolist() == ["passed", "grammar", "grammar"]
    assert ours["shared"].isna().tolist() == [True, False, False]
    (shared,) = ours["shared"].dropna().unique()
    assert ours["read"].tolist() == [SENTENCES[0], shared, shared]
    (whole,) = ours["whole"].unique()
    assert whole == WHOLE.replace("She has", f"{shared} She has")
    told = [one.confidence for one in read_sentences(readers.load("cues"), [whole])[0] if one.confidence]
    assert told == list(readers.load("cues").read(ours["read"].tolist()))


def test_baselines_short_answers_and_the_protocols_of_the_paper_stay_as_they_were(lexicon):
    together, alone = (rewritten(plan(lexicon, **how), lexicon) for how in ({"together": True}, {}))
    others = (together["method"] != "ralc") | (together["question_id"] == "short")
    pd.testing.assert_frame_equal(together[others], alone[others])
    assert alone["shared"].isna().all()
    assert alone["text"].str.contains("probably").all()
    assert parse_config({}).rewrites_together()
    for beside in ({"protocol": "paper"}, {"protocol": "authors"}, {"choices": {"sentences": "alone"}}):
        assert not parse_config(beside).rewrites_together()
    asked = {"readers": {"cues": {"method": "cues"}, "probe": {"method": "probe", "models": ["smollm2"]}}}
    roles = {"evaluator": "probe", "judges": ["cues"]}
    assert not parse_config({**asked, "roles": roles}).rewrites_together()


def test_an_abstention_among_the_sentences_is_left_as_it_is(lexicon):
    planned = plan(lexicon, together=True)
    planned.loc[planned["sentence"] == 2, "passes"] = "it abstains"
    made = rewritten(planned, lexicon)
    left = made[(made["method"] == "ralc") & (made["sentence"] == 2)].iloc[0]
    assert (left["text"], left["origin"]) == (SENTENCES[2], "passed")
    assert pd.isna(left["shared"])


@pytest.mark.parametrize(
    ("below", "text"), [("drop", ""), ("mark", "She has written three novels [citation needed].")]
)
def test_what_is_hardly_supported_is_told_so(lexicon, below, text):
    made = rewritten(plan(lexicon, together=True), lexicon, below=below, unsupported=0.61)
    ours = made[(made["method"] == "ralc") & (made["question_id"] == "q")]
    assert ours["text"].tolist()[1] == text
    assert ours["origin"].tolist() == ["passed", {"drop": "dropped", "mark": "marked"}[below], "grammar"]
    assert (text or "Oslo in 1956.") in ours["whole"].iloc[0]
    assert ("three novels" in ours["whole"].iloc[0]) == (below == "mark")
