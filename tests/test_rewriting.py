"""Rewriting tasks and the lexicon's sentences to requests and back, with made-up replies."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.conditions import having
from ralc.english import place_hedge, remove_hedge
from ralc.lexicon.sentences import STATEMENTS, GrammarWriter, ModelWriter, carries
from ralc.llm import from_table
from ralc.llm.replies import clean_reply
from ralc.preservation import overlap
from ralc.rewriting import (
    Correction,
    GuidedRewriting,
    LLMRewriting,
    choose_rewrites,
    skip_reason,
    to_be_read,
)
from ralc.rewriting.candidates import METHODS
from ralc.rewriting.requests import free_text
from tests.cases import cases
from tests.rewriting import (
    CUES,
    ENSEMBLE,
    LISTED,
    MODEL,
    candidates,
    readings_of,
    replies_to,
    rewritten,
    task,
)

HEDGES = pd.DataFrame({"expression": ["perhaps", "I am sure"], "frame": ["adverb", "clause"]})
HOW = {"sentences": 14, "seed": 1}


def asked(*tasks, method="llm", seed=1):
    return METHODS[method](seed=seed).ask(pd.DataFrame(tasks), model=MODEL)


def test_every_hedge_of_the_lexicon_has_a_place_that_carries_it():
    for row in LISTED.itertuples():
        for text in ("The capital of France is Paris.", "Paris", "Tom went home. He slept."):
            for placed in place_hedge(row.expression, row.frame, text):
                assert carries(placed, row.expression)
                assert placed.endswith(".")


def test_candidates_for_a_model_to_read_are_few_and_the_nearest_is_taken():
    own = "I think it is Paris."
    listed = [own, "It is Paris.", "It is probably Paris.", "It is perhaps Paris."]
    listed += [
        "It is Paris, I'm fairly sure.",
        "It is Paris, I'm fairly confident.",
    ]
    assert candidates([task("a", text=own)])["text"].tolist() == listed
    out = rewritten([task("low", mean=0.4), task("high", mean=0.75), task("sure", mean=0.93)])
    assert out["hedge"].fillna("").tolist() == ["perhaps", "probably", ""]
    assert out["origin"].tolist() == ["grammar", "grammar", "left"]
    texts = ["The capital of France is Paris.", "B", "Tom went to the kitchen."]
    out = rewritten([task(f"t{i}", text=text, mean=0.4) for i, text in enumerate(texts)])
    assert overlap(texts, out["text"].tolist(), LISTED["expression"]).tolist() == [1.0] * 3


def test_an_evaluator_that_asks_no_model_chooses_at_once():
    tasks = [task("a"), task("sure", mean=0.95), task("own", text="I think it is Rome.", mean=0.95)]
    found = candidates(tasks, evaluator=CUES)
    assert found["origin"].tolist() == ["grammar", "left", "unhedged"]
    assert found["text"].tolist()[1:] == ["The capital is Paris.", "It is Rome."]
    assert to_be_read(found).empty
    drafts = {"a": ["It is perhaps Paris.", "I am certain that it is Paris."]}
    (row,) = candidates([task("a", mean=0.3)], drafts, "llm", evaluator=CUES).itertuples()
    assert row.text == "It is perhaps Paris."
    assert row.origin == "model"


def test_a_model_of_whose_drafts_none_is_read_as_meant_is_told_so_once():
    silent = task("silent", text="The capital is Rome.", mean=0.2)  # has no draft to speak of
    rows = [task("far", mean=0.2), task("met", mean=0.35), task("left", mean=0.95), silent]
    plan = pd.DataFrame(
        [*rows, task("passed") | {"skip_reason": "abstains"}, task("open") | {"loop": "open"}]
    )
    drafts = ["It is definitely Paris.", "It is perhaps Paris."]
    # Equal requests have equal replies.
    step = LLMRewriting(evaluator=ENSEMBLE, seed=1)
    replies = replies_to(step.ask(plan, model=MODEL), {"far": drafts})
    listed = step.result(plan, None, replies)
    read = readings_of(to_be_read(listed)["text"])
    for evaluator, known in ((CUES, None), (ENSEMBLE, read)):
        correction = Correction(evaluator=evaluator, seed=1)
        corrections = correction.ask(plan, listed, replies, known, model=MODEL)
        assert corrections["task"].tolist() == ["far"]
    _, draft, correction = from_table(corrections)[0].messages
    assert draft == {"role": "assistant", "content": drafts[1]}
    assert "sounds 40% certain. It should sound 20% certain, so it is too sure." in correction["content"]
    # What it writes then competes with what it wrote before, and is all that is still to be read.
    again = pd.concat([replies, replies_to(corrections, {"far": ["Most unlikely, it is Paris."]})])
    corrected = step.result(plan, None, again)
    new = to_be_read(corrected, read["text"])[["text"]].assign(alpha=2.0, beta=8.0)
    chosen = choose_rewrites(plan, corrected, pd.concat([read, new]), seed=1)["text"].tolist()
    assert chosen[:2] == ["Most unlikely, it is Paris.", drafts[1]]


def test_without_readings_or_in_an_open_loop_the_first_hedge_is_taken():
    found = candidates([task("a")])
    unread = pd.DataFrame({"text": found["text"], "alpha": np.nan, "beta": np.nan})
    out = choose_rewrites(pd.DataFrame([task("a")]), found, unread, seed=1)
    assert out["text"].tolist() == ["The capital is probably Paris."]
    with pytest.raises(ValueError, match="was not read"):
        choose_rewrites(pd.DataFrame([task("a")]), found, unread[1:], seed=1)
    with pytest.raises(ValueError, match="task 'a' has no candidate"):
        choose_rewrites(pd.DataFrame([task("a")]), found[:0], unread, seed=1)
    opened = task("a", mean=0.4) | {"loop": "open"}
    assert candidates([opened])["text"].tolist() == ["The capital is probably Paris."]
    assert asked(opened)["n"].tolist() == [1]


def test_what_denies_is_never_taken_off_so_that_the_answer_is_affirmed():
    """ "The chances are low that it is Paris." became "There is a very good chance that it is Paris."."""
    usable = built_in_lexicon(voice="all").usable().table
    mean = usable["alpha"] / (usable["alpha"] + usable["beta"])
    low = having(usable[mean < 0.16], frame="clause")
    assert len(low) > 20
    for hedge, frame in zip(low["expression"], low["frame"], strict=True):
        answer = place_hedge(hedge, frame, "It is Paris.")[0]
        assert remove_hedge(answer) == (None, "it doubts what it names"), answer


def test_tasks_come_back_in_their_order_and_nobody_is_asked_without_need():
    passing = task("p", text="I don't know.") | {"skip_reason": skip_reason("I don't know.")}
    assert asked(passing).empty
    tasks = [task("z"), task("d", method="direct_beta"), passing, task("a", text="Rome")]
    assert asked(*tasks, method="guided")["task"].tolist() == ["d"]
    out = rewritten(tasks, {"d": ["It may be Paris."]})
    assert out.index.tolist() == ["z", "d", "p", "a"]
    assert out.loc["d"].tolist()[:2] == ["It may be Paris.", "model"]
    assert out.loc["p"].tolist()[:2] == ["I don't know.", "passed"]
    assert pd.isna(out.loc["d", "hedge"])
    one, two = (from_table(asked(tasks[1], method="guided", seed=seed))[0] for seed in (1, 2))
    assert one.seed != two.seed


@cases
def test_an_unusable_direct_rewrite_leaves_the_original(reply, reason, text):
    (row,) = rewritten([task("a", method="direct_beta")], {"a": [reply]}, reason=reason).itertuples()
    assert row.text == (text or "The capital is Paris.")
    assert row.origin == ("model" if text else "none")


def test_the_papers_prompt_lists_the_hedges_nearest_first():
    (request,) = from_table(asked(task("a")))
    assert "probably: Beta(alpha=7.00, beta=3.00)\nperhaps: Beta(alpha=7.00" in request.messages[0]["content"]
    assert 'My answer to the question is: "The capital is Paris."' in request.messages[0]["content"]
    (direct,) = from_table(asked(task("a", method="direct_beta")))
    assert "Beta(alpha=7.00, beta=3.00)" in direct.messages[0]["content"]


def test_an_llm_writes_drafts_and_the_nearest_that_claims_the_same_is_taken():
    drafts = ['New response: "It is\nperhaps Paris."', "It is definitely Paris.", "It is perhaps Paris.", ""]
    assert asked(task("a"))["n"].tolist() == [len(drafts)]
    out = rewritten([task("a", mean=0.45), task("b", text="Rome")], {"a": drafts}, method="llm")
    assert out.loc["a"].tolist()[:2] == ["It is perhaps Paris.", "model"]
    assert out.loc["b"].tolist()[:3] == ["It is probably Rome.", "template", "probably"]
    turned = "Perhaps the capital is not Paris."
    added = "It is perhaps Paris, home of 2 million people."
    kept = "Perhaps the capital is Paris."
    asks = "Perhaps the capital is Paris?"
    tasks = [task("a", mean=0.3), task("b", text="The capital is Lyon."), task("c") | {"loop": "open"}]
    out = rewritten(tasks, {"a": [turned, asks, added, kept], "b": [turned], "c": [turned]}, method="llm")
    assert out["origin"].tolist() == ["model", "template", "model"]
    assert out.loc[["a", "c"], "text"].tolist() == [kept, turned]


def test_drafts_that_contradict_themselves_are_no_candidates():
    firm = "Definitely. The capital is perhaps Paris."
    fit = "The capital is perhaps Paris."
    texts = [*candidates([task("t", mean=0.4)], {"t": [firm, fit]}, method="llm")["text"]]
    assert fit in texts
    assert firm not in texts


def test_faults_are_named():
    frame = pd.DataFrame([task("a"), task("b", hedges=())])
    with pytest.raises(ValueError, match=r"task 'b' \(row 1\): .*0 hedges"):
        GuidedRewriting(evaluator=CUES).result(frame, None)
    with pytest.raises(ValueError, match=r"task 'b' \(row 1\): .*0 hedges"):
        LLMRewriting().ask(frame, model=MODEL)
    with pytest.raises(ValueError, match=r"task 'a' \(row 0\): no request"):
        LLMRewriting(evaluator=CUES).result(frame[:1], None)


@cases
def test_replies_are_cleaned(reply, text):
    assert clean_reply(reply) == text


@given(st.text(max_size=300))
def test_any_reply_is_a_line_of_text_or_nothing(reply):
    text = clean_reply(reply)
    assert text is None or (text == " ".join(text.split()) and any(c.isalnum() for c in text))
    assert free_text(reply, cut=True, original="x") != ""


#: Answers, what is left of each without its hedges (nothing where they cannot be taken off), and why it is not hedged.
BARE = pd.read_csv(Path(__file__).parent / "data" / "bare.csv", keep_default_na=False)


@pytest.mark.parametrize(("answer", "left", "why"), [*BARE.itertuples(index=False)])
def test_an_answer_loses_its_own_hedges_or_passes(answer, left, why):
    assert (remove_hedge(answer).text or "") == left
    assert (skip_reason(answer).text or remove_hedge(answer).reason) == why


def drawn(*expressions, sentences, seed=3):
    return GrammarWriter(sentences=sentences, seed=seed).drawn(pd.DataFrame({"expression": expressions}))


def test_statements_are_drawn_evenly_and_apart_from_each_other():
    few = drawn("perhaps", "maybe", sentences=4)
    assert few.groupby("expression")["n"].agg(["sum", "max"]).to_numpy().tolist() == [[4, 1], [4, 1]]
    many = drawn("maybe", sentences=20)
    assert len(many) == 12
    assert many["n"].sum() == 20
    assert set(many["n"]) == {1, 2}
    alone = drawn("maybe", sentences=4)
    pd.testing.assert_frame_equal(alone, having(few, expression="maybe").reset_index(drop=True))
    assert not drawn("maybe", sentences=4, seed=4).equals(alone)


def test_lexicon_sentences_carry_their_expression_or_are_templates():
    writer = ModelWriter(**HOW)
    requests = writer.ask(HEDGES, model=MODEL)
    assert set(requests["statement"]) == set(STATEMENTS)
    said = {"perhaps": ['"Perhaps it is so."'], "I am sure": ["The movie is good."]}
    replies = replies_to(requests, said, named="expression")
    table = writer.result(HEDGES, replies)
    assert table["expression"].value_counts().to_dict() == {"perhaps": 14, "I am sure": 14}
    assert all(carries(row.sentence, row.expression) for row in table.itertuples())
    origins = table.groupby("expression")["origin"].value_counts()
    assert origins["perhaps", "model"] == 12
    assert origins["perhaps", "template"] == 2
    assert origins["I am sure", "template"] == 14


def test_lexicon_sentences_are_put_together_without_a_model():
    table = GrammarWriter(**HOW).result(HEDGES)
    assert table["expression"].value_counts().to_dict() == {"perhaps": 14, "I am sure": 14}
    assert set(table["origin"]) == {"grammar"}
    assert all(carries(row.sentence, row.expression) for row in table.itertuples())
    # Two of the statements are taken twice, in two places where there are two.
    assert table.loc[table["expression"] == "perhaps", "sentence"].is_unique
