"""The page of examples: as many as asked for, what was true and read, model text escaped."""

import pandas as pd
import pytest

from ralc.report import tables
from ralc.schemas import ORIGINS


def test_examples_show_as_many_as_asked_from_every_dataset(items, questions):
    page = tables.examples(items, questions, count=20)
    assert page.count('<article class="example"') == 20
    for dataset in ("worldfacts-qa", "worldfacts-mc", "worldfacts-rc"):
        assert page.count(f"<small>{dataset} ·") in (6, 7)
    # Readers keep their order, which is the run's: the first one is in the loop.
    shuffled = items.groupby(["reader", "dataset"], sort=False).sample(frac=1, random_state=0)
    assert page == tables.examples(shuffled, questions, count=20)


def test_examples_escape_model_text(items, questions):
    page = tables.examples(items, questions, count=48)
    assert page.count("<script") == 1  # the page's own
    assert "{{ 7*7 }}" in page
    assert "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;" in page


def test_examples_show_truth_reading_and_lack_of_reading(items, questions):
    page = tables.examples(items, questions, count=48)
    assert "The background does not contain the answer." in page
    assert "Aville; City of Aville" in page
    assert "judge, before" in page
    assert "reader of cues, after" in page
    assert "<dd>A. Aville</dd>" in page  # an answer may be a letter
    assert "no reading" in page
    assert "as a last resort" in page


@pytest.mark.parametrize("origin", ORIGINS)
def test_every_origin_of_a_rewrite_is_told(items, questions, origin):
    page = tables.examples(items.assign(origin=origin), questions, count=3)
    assert "origin not recorded" not in page


def test_examples_survive_parquet(items, questions, tmp_path):
    for name, frame in (("items", items), ("questions", questions)):
        frame.to_parquet(tmp_path / name)
    read = [pd.read_parquet(tmp_path / name) for name in ("items", "questions")]
    assert tables.examples(*read, count=5) == tables.examples(items, questions, count=5)


def test_examples_refuse_bad_input(items, questions):
    with pytest.raises(ValueError, match="count = 0"):
        tables.examples(items, questions, count=0)
    with pytest.raises(ValueError, match="no row for question_id 'worldfacts-"):
        tables.examples(items, questions.iloc[:0])
    with pytest.raises(ValueError, match="no rows of method 'ralc'"):
        tables.examples(items[items["method"] == "original"], questions)


def long_items(items):
    """One answer of two sentences, told together, beside what `items` needs."""
    own = items[(items["dataset"] == "worldfacts-qa") & (items["train"].isin(["worldfacts-qa", "none"]))]
    own = own[own["question_id"] == "worldfacts-qa-000"]
    said = {0: "It is <b>Rome</b>.", 1: "It is old."}
    parts = [own.assign(sentence=at, text=text, outcome=1.0 - at) for at, text in said.items()]
    made = pd.concat(parts, ignore_index=True)
    made["whole"] = "Yes. It is <b>Rome</b>. It is old. Ask me more."
    ours = (made["method"] == "ralc") & (made["space"] == "linguistic")
    made["shared"] = made["shared"].astype(object).mask(ours, "I think that what follows is right.")
    return made


def test_a_long_answer_is_one_example_whose_sentences_are_shaded_and_escaped(items, questions):
    page = tables.examples(long_items(items), questions, count=5)
    assert page.count('<article class="example"') == 1
    assert page.count('">It is &lt;b&gt;Rome&lt;/b&gt;.<sup>') == 2  # before and after
    assert "<b>" not in page
    assert "Ask me more.</dd>" in page
    assert "50 % of what a sentence says is right" in page
    assert "partly correct" in page
    ungraded = long_items(items).assign(outcome=float("nan"))
    assert "not known: none of its sentences" in tables.examples(ungraded, questions, count=5)
    assert page.count("<td>yes</td>") == 2
    assert "80–100 %</span>" in page


def test_a_short_answer_has_no_legend_of_shades(items, questions):
    assert "shaded by its confidence" not in tables.examples(items, questions, count=5)
