"""Rewriting tasks to requests and back, with made-up replies; the embedded model in the tests marked so."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.english import denies, place_hedge, remove_hedge
from ralc.llm import complete_table, from_table
from ralc.preservation import overlap
from ralc.rewriting import choose_rewrites, list_candidates, render_rewrites, skip_reason, to_be_read
from ralc.rewriting.lexicon_sentences import carries
from ralc.rewriting.requests import clean_reply, free_text
from tests.rewriting import CUES, LISTED, MODEL, candidates, rewritten, task

IN_THE_LOOP = {"lexicon": None, "evaluator": CUES}


def test_candidates_for_a_model_to_read_are_few_and_begin_with_the_answer():
    assert candidates([task("a", text="I think that it is Paris.")])["text"].tolist() == [
        "I think that it is Paris.",
        "It is Paris.",
        "It is probably Paris.",
        "It is perhaps Paris.",
    ]


def test_every_hedge_of_the_lexicon_has_a_place_that_carries_it():
    for row in LISTED.itertuples():
        for text in ("The capital of France is Paris.", "Paris", "Tom went home. He slept."):
            for placed in place_hedge(row.expression, row.frame, text):
                assert carries(placed, row.expression)
                assert placed.endswith(".")


def test_the_candidate_that_reads_nearest_to_the_target_is_taken():
    out = rewritten([task("low", mean=0.4), task("high", mean=0.75), task("sure", mean=0.93)])
    assert out["hedge"].fillna("").tolist() == ["perhaps", "probably", ""]
    assert out["origin"].tolist() == ["grammar", "grammar", "left"]


def test_an_evaluator_that_asks_no_model_chooses_at_once():
    tasks = [task("a"), task("sure", mean=0.95), task("own", text="I think it is Rome.", mean=0.95)]
    found = candidates(tasks, evaluator=CUES)
    assert found["origin"].tolist() == ["grammar", "left", "unhedged"]
    assert found["text"].tolist()[1:] == ["The capital is Paris.", "It is Rome."]
    assert to_be_read(found).empty
    drafts = {"a": ["It is perhaps Paris.", "I am certain that it is Paris."]}
    (row,) = candidates([task("a", mean=0.5)], drafts, "llm", evaluator=CUES).itertuples()
    assert (row.text, row.origin) == ("It is perhaps Paris.", "model")


def test_without_readings_the_first_hedge_is_taken():
    found = candidates([task("a")])
    unread = pd.DataFrame({"text": found["text"], "alpha": np.nan, "beta": np.nan})
    out = choose_rewrites(pd.DataFrame([task("a")]), found, unread, seed=1)
    assert out["text"].tolist() == ["The capital is probably Paris."]
    with pytest.raises(ValueError, match="was not read"):
        choose_rewrites(pd.DataFrame([task("a")]), found, unread[1:], seed=1)
    with pytest.raises(ValueError, match="task 'a' has no candidate"):
        choose_rewrites(pd.DataFrame([task("a")]), found[:0], unread, seed=1)


def test_an_open_loop_takes_the_nearest_hedge_unread():
    opened = task("a", mean=0.4) | {"loop": "open"}
    assert candidates([opened])["text"].tolist() == ["The capital is probably Paris."]
    requests = render_rewrites(pd.DataFrame([opened]), method="llm", model=MODEL, seed=1)
    assert requests["n"].tolist() == [1]


def test_what_denies_is_never_taken_off_so_that_the_answer_is_affirmed():
    """ "The chances are low that it is Paris." became "There is a very good chance that it is Paris."."""
    usable = built_in_lexicon().usable().table
    low = usable[usable["expression"].map(denies) & (usable["frame"] == "clause")]
    assert len(low) > 20
    for hedge, frame in zip(low["expression"], low["frame"], strict=True):
        answer = place_hedge(hedge, frame, "It is Paris.")[0]
        assert skip_reason(answer) == "it doubts what it names", answer
        assert remove_hedge(answer) is None


def test_an_answer_that_passes_is_left_as_it_is_and_nobody_is_asked():
    for method in ("guided", "llm"):
        passing = task("a", text="I don't know.") | {"passes": skip_reason("I don't know.")}
        requests = render_rewrites(pd.DataFrame([passing]), method=method, model=MODEL, seed=1)
        assert requests.empty
        out = rewritten([passing, task("b")], method="guided")
        assert out.loc["a"].tolist()[:2] == ["I don't know.", "passed"]


def test_tasks_come_back_in_their_order_and_a_model_is_asked_for_free_texts_alone():
    tasks = [task("z"), task("d", method="direct_beta"), task("a", text="Rome"), task("b")]
    requests = render_rewrites(pd.DataFrame(tasks), method="guided", model=MODEL, seed=1)
    assert requests["task"].tolist() == ["d"]
    out = rewritten(tasks, {"d": ["It may be Paris."]})
    assert out.index.tolist() == ["z", "d", "a", "b"]
    assert out.loc["d"].tolist()[:2] == ["It may be Paris.", "model"]
    assert pd.isna(out.loc["d", "hedge"])


def test_requests_depend_on_the_seed():
    frame = pd.DataFrame([task("a", method="direct_beta")])
    one, two = (from_table(render_rewrites(frame, method="guided", model=MODEL, seed=s))[0] for s in (1, 2))
    assert one.seed != two.seed


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "  ...",
        "Here is a version with hedging language:",
        "Beta(alpha=2.0, beta=1.0) it is",
        "The capital is Paris, 99 % confident on average.",
    ],
)
def test_an_unusable_direct_rewrite_leaves_the_original(reply):
    out = rewritten([task("a", method="direct_beta")], {"a": [reply]})
    assert out.loc["a"].tolist()[:2] == ["The capital is Paris.", "none"]


def test_a_direct_rewrite_that_was_cut_keeps_its_whole_sentences():
    tasks = [task("a", method="direct_beta")]
    out = rewritten(tasks, {"a": ["It may be Paris. The city of"]}, reason="length")
    assert out.loc["a", "text"] == "It may be Paris."
    assert rewritten(tasks, {"a": ["It may be"]}, reason="length").loc["a", "origin"] == "none"


def test_the_papers_prompt_lists_the_hedges_nearest_first():
    request = from_table(render_rewrites(pd.DataFrame([task("a")]), method="llm", model=MODEL, seed=1))[0]
    assert "probably: Beta(alpha=7.00, beta=3.00)\nperhaps: Beta(alpha=7.00" in request.messages[0]["content"]
    assert 'My answer to the question is: "The capital is Paris."' in request.messages[0]["content"]
    direct = from_table(
        render_rewrites(pd.DataFrame([task("a", method="direct_beta")]), method="llm", model=MODEL, seed=1)
    )
    assert "Beta(alpha=7.00, beta=3.00)" in direct[0].messages[0]["content"]


def test_an_llm_writes_several_drafts_and_the_nearest_is_taken():
    drafts = ['New response: "It is\nperhaps Paris."', "It is definitely Paris.", "It is perhaps Paris.", ""]
    requests = render_rewrites(pd.DataFrame([task("a")]), method="llm", model=MODEL, seed=1)
    assert requests["n"].tolist() == [len(drafts)]
    out = rewritten([task("a", mean=0.45), task("b", text="Rome")], {"a": drafts}, method="llm")
    assert out.loc["a"].tolist()[:2] == ["It is perhaps Paris.", "model"]
    assert out.loc["b"].tolist()[:3] == ["It is probably Rome.", "template", "probably"]


def test_a_text_of_a_model_that_claims_something_else_is_no_candidate():
    turned, added = "Perhaps the capital is not Paris.", "It is perhaps Paris, home of 2 million people."
    kept = "Perhaps the capital is Paris."
    tasks = [task("a"), task("b", text="The capital is Lyon."), task("c") | {"loop": "open"}]
    said = {"a": [turned, added, kept], "b": [turned], "c": [turned]}
    out = rewritten(tasks, said, method="llm")
    assert out.loc["a"].tolist()[:2] == [kept, "model"]
    assert out.loc["b", "origin"] == "template"
    assert out.loc["c"].tolist()[:2] == [turned, "model"]


def test_faults_are_named():
    frame = pd.DataFrame([task("a"), task("b", hedges=())])
    with pytest.raises(ValueError, match=r"task 'b' \(row 1\): .*0 hedges"):
        list_candidates(frame, None, None, method="guided", **IN_THE_LOOP)
    with pytest.raises(ValueError, match=r"task 'b' \(row 1\): .*0 hedges"):
        render_rewrites(frame, method="llm", model=MODEL, seed=1)
    with pytest.raises(ValueError, match="'free' is not one of guided, llm"):
        render_rewrites(frame, method="free", model=MODEL, seed=1)
    with pytest.raises(ValueError, match=r"task 'a' \(row 0\): no request"):
        list_candidates(frame[:1], None, None, method="llm", **IN_THE_LOOP)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Here is the rewritten sentence:\n\n**It may be Paris.**", "It may be Paris."),
        ("Rewritten sentence: “It may be Paris.”", "It may be Paris."),
        ('"Paris" may be "Paris"', '"Paris" may be "Paris"'),
        (None, None),
    ],
)
def test_replies_are_cleaned(reply, text):
    assert clean_reply(reply) == text


@given(st.text(max_size=300))
def test_any_reply_is_a_line_of_text_or_nothing(reply):
    text = clean_reply(reply)
    assert text is None or (text == " ".join(text.split()) and any(c.isalnum() for c in text))
    assert free_text(reply, cut=True, original="x")[1] in ("model", "none")


def test_guided_rewrites_keep_every_word():
    texts = ["The capital of France is Paris.", "B", "Tom went to the kitchen."]
    out = rewritten([task(f"t{i}", text=text, mean=0.4) for i, text in enumerate(texts)])
    assert overlap(texts, out["text"].tolist(), LISTED["expression"]).tolist() == [1.0] * 3


@pytest.mark.long
@pytest.mark.model
@pytest.mark.parametrize("method", ["guided", "llm"])
def test_free_rewriting_survives_what_a_small_model_says(tmp_path, method):
    tasks = pd.DataFrame([task("a", method="direct_beta"), task("b", method="direct_beta", text="Rome")])
    requests = render_rewrites(tasks, method=method, model=MODEL, seed=1)
    answers = complete_table(requests, MODEL, tmp_path / "journal.jsonl")
    out = list_candidates(tasks, requests, answers, method=method, **IN_THE_LOOP)
    assert out["text"].str.len().gt(0).all()
    assert out["origin"].isin(["model", "none"]).all()


#: Answers, what is left of each without its hedges (nothing where they cannot be taken off), and why it is not hedged.
BARE = pd.read_csv(Path(__file__).parent / "data" / "bare.csv", keep_default_na=False)


@pytest.mark.parametrize(("answer", "left", "why"), BARE.itertuples(index=False))
def test_an_answer_loses_its_own_hedges_or_passes(answer, left, why):
    assert (remove_hedge(answer) or "", skip_reason(answer)) == (left, why)
