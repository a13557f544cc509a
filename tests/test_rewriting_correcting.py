"""The corrective round: a model hears how its draft was read, and is asked once more."""

import numpy as np
import pandas as pd
import pytest

from ralc.llm import from_table
from ralc.rewriting import list_corrections, render_corrections
from tests.rewriting import MODEL, candidates, corrected, task

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
