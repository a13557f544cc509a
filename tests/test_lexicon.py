"""The lexicon: the committed expressions, a user's file, fits, flags and remarks."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ralc import Beta, data, lexicon
from ralc.calibrator.default_lexicon import COMMITTED_EVALUATOR, built_in_lexicon, hedges_read
from ralc.lexicon import SOURCES, Lexicon, audit_flags, entry_flags, fit_lexicon, load_hedges
from ralc.lexicon.estimation import HUMAN_BOUND, human_reading, second_screening
from ralc.lexicon.expressions import committed
from ralc.lexicon.sentences import GrammarWriter
from ralc.pipeline import perceived_confidence
from ralc.protocols import PROTOCOLS
from ralc.registry import FRAMES
from tests.cases import cases

MEDICAL = Path(__file__).parent / "data/hedges_medical.csv"


@pytest.mark.long
def test_the_committed_readings_of_the_hedges_are_those_of_the_evaluator():
    hedges = committed()
    now = pd.DataFrame(hedges_read(hedges, COMMITTED_EVALUATOR), index=[one["expression"] for one in hedges])
    table = pd.read_csv(data.path("lexicon_cues.csv"), index_col="expression", keep_default_na=False)
    renew = "run python -m studies"
    numbers = ["alpha", "beta"]
    assert table["flags"].to_dict() == now["flags"].to_dict(), renew
    np.testing.assert_allclose(table[numbers], now[numbers], rtol=1e-6, err_msg=renew)


def test_a_hedge_without_readings_is_named_with_the_command_that_makes_them(monkeypatch):
    built_in_lexicon.cache_clear()
    rows = data.rows
    monkeypatch.setattr(
        data, "rows", lambda name: rows(name)[1:] if name == "lexicon_cues.csv" else rows(name)
    )
    first = committed()[0]["expression"]
    with pytest.raises(ValueError, match=rf"hedges.csv: '{first}' has no readings.*run `python -m studies`"):
        built_in_lexicon(voice="all")


def test_the_voice_of_an_application_is_small_and_covers_the_scale():
    voice = built_in_lexicon()
    assert len(voice) == len(voice.usable())
    assert 15 <= len(voice) <= 30
    mean = np.sort(voice.confidence.mean)
    assert mean[0] <= 0.05
    assert mean[-1] >= 0.94  # an answer is read .95 as it came
    assert np.diff(mean).max() <= 0.10 + 1e-9  # one within 0.05 of whatever is meant


def test_the_whole_lexicon_covers_the_scale_with_honest_hedges():
    usable = built_in_lexicon(voice="all").usable()
    mean = np.sort(usable.confidence.mean)
    assert len(usable) >= 120
    assert mean[0] <= 0.10
    assert mean[-1] >= 0.95
    assert np.diff(mean).max() <= 0.05 + 1e-9
    listed = load_hedges()
    assert set(listed["source"]) <= set(SOURCES)
    assert set(listed["frame"]) == set(FRAMES)
    assert listed["expression"].str.lower().is_monotonic_increasing
    assert listed["expression"].str.lower().is_unique
    kinds = listed.set_index("expression").loc[usable.table["expression"]]
    assert set(kinds["kind"]) == {"confidence"}
    assert "reverses" not in set(kinds["polarity"])


def test_a_users_file_replaces_or_extends_and_says_what_its_hedges_are(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(
        "\ufeffExpression,Frame,kind\nby my lights,opener,social\nperhaps,adverb,\nstudies show,clause,\n",
        encoding="utf-8",
    )
    mine = load_hedges(path)
    kinds = {"by my lights": "social", "perhaps": "confidence", "studies show": "evidential"}
    assert mine.set_index("expression")["kind"].to_dict() == kinds
    assert set(mine["source"]) == {"user"}
    both = load_hedges(path, extend=True)
    assert len(both) == len(load_hedges()) + 2
    assert both.set_index("expression").loc["perhaps", "source"] == "user"


@cases
def test_a_bad_users_file_is_refused(tmp_path, text, message):
    path = tmp_path / "mine.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        load_hedges(path)


def hedges(*expressions, kind="confidence"):
    table = pd.DataFrame({"expression": list(expressions), "source": "ours", "frame": "adverb"})
    return table.assign(kind=kind, register="neutral", polarity="for")


def scores(rng, **betas):
    parts = [pd.DataFrame({"expression": e, "score": rng.beta(*ab, 400)}) for e, ab in betas.items()]
    return pd.concat(parts, ignore_index=True)


def test_both_fits_find_the_distribution_and_the_protocol_chooses(rng):
    raw = scores(rng, perhaps=(4, 6), surely=(19, 1))
    fitted = fit_lexicon(hedges("perhaps", "surely"), raw)
    assert fitted.table["n"].tolist() == [400, 400]
    np.testing.assert_allclose(fitted.confidence.mean, [0.4, 0.95], atol=0.02)
    by_likelihood = fit_lexicon(hedges("perhaps", "surely"), raw, protocol="paper").table
    own = raw.loc[raw["expression"] == "perhaps", "score"]
    assert fitted.confidence[0] == Beta.fit_moments(own)
    expected = stats.beta.fit(own.clip(1e-6, 1 - 1e-6), floc=0, fscale=1)[:2]
    np.testing.assert_allclose(by_likelihood[["alpha", "beta"]].to_numpy()[0], expected, rtol=1e-5)


def test_distributions_of_readings_are_fitted_by_their_moments_without_noise():
    rows = pd.DataFrame({"expression": "perhaps", "score": [0.3, 0.5], "variance": [0.02, 0.04]})
    entry = fit_lexicon(hedges("perhaps"), rows).table.iloc[0]
    mean = 0.4
    variance = 0.03 + 0.01  # of the mixture: within and between the sentences
    assert entry["alpha"] / (entry["alpha"] + entry["beta"]) == pytest.approx(mean)
    assert entry["alpha"] + entry["beta"] == pytest.approx(mean * (1 - mean) / variance - 1)
    # There are no scores for a likelihood.
    paper = fit_lexicon(hedges("perhaps"), rows, protocol="paper").table
    assert paper["alpha"][0] == pytest.approx(entry["alpha"])


def test_the_audit_flags_words_that_are_read_otherwise_than_they_say():
    assert audit_flags("without a doubt", 0.95, 0.95) == audit_flags("I am not sure", 0.2, 0.2) == []
    assert audit_flags("I have no idea", 0.9, 0.9) == ["wording"]
    assert audit_flags("in the fullness of time", 0.9, 0.9) == ["unread"]


def test_what_the_second_screening_reads_otherwise_is_left_out():
    # "I am guessing" goes, although people who were asked read it as the evaluator in the loop does.
    screening = second_screening()
    asked = human_reading("I am guessing").mean
    listed = {entry["expression"]: entry for entry in committed()}
    unscreened = {"may", "may well", "might", "I don't think"}  # which came after it
    assert {*screening, *unscreened} == set(load_hedges()["expression"])
    assert abs(screening["I am guessing"] - asked) > HUMAN_BOUND
    assert entry_flags(listed["I am guessing"], asked, asked) == "evaluators"
    for mean, flags in ((0.15, "evaluators"), (screening["I am unsure"], "")):
        assert entry_flags(listed["I am unsure"], mean, mean) == flags


def test_what_people_or_other_evaluators_read_otherwise_is_left_out():
    # "probably not" was read as 0.65 by its first word; people who were asked say 0.25.
    raw = pd.DataFrame({"expression": ["probably not"] * 9 + ["probable"] * 9, "score": [0.65, 0.6, 0.7] * 6})
    fitted = fit_lexicon(hedges("probable", "probably not"), raw)
    assert fitted.table["flags"].tolist() == ["", "human;evaluators"]
    assert fitted.usable().table["expression"].tolist() == ["probable"]
    with pytest.raises(ValueError, match="no expressions"):
        fit_lexicon(hedges("probably not"), raw[:9]).usable()
    raw = pd.DataFrame({"expression": ["perchance", "likely"] * 3, "score": [0.4, 0.7, 0.41, 0.72, 0.4, 0.7]})
    pair = hedges("likely", "perchance")
    for likely, flags in ((0.5, ["evaluators"] * 2), (0.6, ["", "evaluators"])):
        second = {"cue_model_b": pd.Series({"perchance": 0.2, "likely": likely})}
        assert fit_lexicon(pair, raw, test_readings=second).table["flags"].tolist() == flags


def test_hedges_that_claim_what_nobody_knows_are_left_out_under_their_kind():
    raw = pd.DataFrame({"expression": ["reportedly", "likely"] * 9, "score": [0.7, 0.7] * 9})
    known = hedges("likely", "reportedly", kind=["confidence", "evidential"])
    assert fit_lexicon(known, raw).table["flags"].tolist() == ["", "evidential"]
    assert fit_lexicon(known, raw, protocol="paper").table["flags"].tolist() == ["", ""]


def test_human_readings_stand_beside_and_what_has_no_scores_is_left_out(rng):
    raw = scores(rng, **{"it is likely": (7, 3), "surely": (9, 1)})
    table = fit_lexicon(hedges("it is likely", "surely"), raw).table
    assert table["human_mean"][0] == pytest.approx(0.726, abs=0.001)
    assert table["human_source"].tolist() == ["capphrase", "none"]
    pd.testing.assert_frame_equal(fit_lexicon(hedges("it is likely", "perhaps", "surely"), raw).table, table)
    with pytest.raises(ValueError, match="no expression has a score"):
        fit_lexicon(hedges("perhaps"), raw[:0])
    with pytest.raises(ValueError, match="'it is likely' is not in the lexicon"):
        fit_lexicon(hedges("surely"), raw)
    with pytest.raises(ValueError, match="no column 'source'"):
        Lexicon(pd.DataFrame({"expression": ["a"]}))


def test_own_readings_are_the_entries_and_what_cannot_be_used_is_said():
    mine = load_hedges(MEDICAL)
    sentences = GrammarWriter(sentences=4, seed=1).result(mine)
    read = perceived_confidence.score(sentences, "cue_model", {"method": "cue_model"})
    fitted = fit_lexicon(mine, read).table.set_index("expression")
    mean = fitted["alpha"] / (fitted["alpha"] + fitted["beta"])
    assert mean["most likely"] == pytest.approx(0.80)
    # k = mean (1 - mean) / sd^2 - 1 = 0.16 / 0.01 - 1
    assert fitted.loc["most likely", ["alpha", "beta"]].sum() == pytest.approx(15)
    assert fitted["n"].drop("perhaps").eq(40).all()
    assert 0.2 < mean["perhaps"] < 0.6
    assert fitted.loc["perhaps", "n"] == 4
    assert set(fitted.index[fitted["flags"].str.contains("frame")]) == {"consistent with", "suggestive of"}
    told = lexicon.remarks(lexicon.foreseen(mine))
    why = (
        "'consistent with' is left out: no evaluator finds in it how sure it sounds, and it waits for a noun"
    )
    assert why in "\n".join(told)
    assert told[-1].startswith(f"lexicon: {len(mine) - len(told) + 1} of {len(mine)} expressions can be used")
    assert lexicon.remarks(lexicon.foreseen(mine), PROTOCOLS["paper"]) == []
    assert lexicon.remarks(lexicon.foreseen(load_hedges())) == []
    useless = pd.DataFrame({"expression": ["theoretically", "green"], "frame": "adverb", "source": "model"})
    with pytest.raises(
        ValueError, match=r"none of its 2 .*'theoretically': it says what could.*lexicon\.lists"
    ):
        lexicon.remarks(lexicon.foreseen(load_hedges(sourced=useless)))
