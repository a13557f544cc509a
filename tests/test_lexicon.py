"""The lexicon: the committed expressions, a user's file, fits, audit and gaps."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ralc import data
from ralc.calibrator.default_lexicon import COMMITTED_EVALUATOR, built_in_lexicon, hedges_read
from ralc.english import FRAMES
from ralc.lexicon import SOURCES, Lexicon, audit_flags, fit_lexicon, load_hedges
from ralc.lexicon.expressions import committed
from ralc.lexicon.flags import HUMAN_BOUND, apart_readings, entry_flags, human_reading


def test_the_committed_list():
    hedges = load_hedges()
    assert len(hedges) >= 150
    assert hedges["expression"].str.lower().is_unique
    assert set(hedges["source"]) <= set(SOURCES)
    assert set(hedges["frame"]) == set(FRAMES)
    assert {"I have no idea", "without a doubt", "my random guess is", "I can confirm"} <= set(
        hedges["expression"]
    )
    assert hedges["expression"].str.lower().is_monotonic_increasing


def test_the_committed_readings_of_the_hedges_are_those_of_the_evaluator():
    hedges = committed()
    now = pd.DataFrame(hedges_read(hedges, COMMITTED_EVALUATOR), index=[one["expression"] for one in hedges])
    table = pd.read_csv(data.path("lexicon_cues.csv"), index_col="expression", keep_default_na=False)
    renew, numbers = "run python -m studies", ["alpha", "beta"]
    assert table["flags"].to_dict() == now["flags"].to_dict(), renew
    np.testing.assert_allclose(table[numbers], now[numbers], rtol=1e-6, err_msg=renew)


def test_a_users_file_replaces_or_extends(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(
        "\ufeffExpression,Frame\nin my clinical judgement,opener\nperhaps,adverb\n", encoding="utf-8"
    )
    mine = load_hedges(path)
    assert mine["expression"].tolist() == ["in my clinical judgement", "perhaps"]
    assert set(mine["source"]) == {"user"}
    both = load_hedges(path, extend=True)
    assert len(both) == len(load_hedges()) + 1
    assert both.set_index("expression").loc["perhaps", "source"] == "user"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("expression\nperhaps\n", "line 2, column 'frame': is missing"),
        ("expression,frame\n", "no expressions"),
        ("expression,frame\n\nperhaps,adverb\n\n,adverb\n", "line 5, column 'expression': is missing"),
        ("expression,frame\nperhaps, maybe,adverb\n", "line 2: 3 cells where the header has 2: perhaps"),
        ("expression,frame\nperhaps,noun\n", "line 2, column 'frame': 'noun': Input should be 'adverb'"),
        (
            "expression,frame,kind\nperhaps,adverb,odd\n",
            "line 2, column 'kind': 'odd': Input should be 'confidence'",
        ),
        ("expression,frame\nperhaps,adverb\nPerhaps,adverb\n", "line 3: 'Perhaps' stands there twice"),
        ("expression,frame,mean\nperhaps,adverb,0.7\n", "line 2, columns 'mean' and 'sd': no reading"),
        (
            "expression,frame,mean,sd\nperhaps,adverb,1.2,0.1\n",
            "line 2, column 'mean': '1.2': Input should be less",
        ),
        ("expression,frame,mean,sd\nperhaps,adverb,0.5,0.6\n", "line 2, columns 'mean' and 'sd': no reading"),
        (
            "expression,frame,mean,sd\nperhaps,adverb,high,0.1\n",
            "line 2, column 'mean': 'high': Input should be a",
        ),
    ],
)
def test_a_bad_users_file_is_refused(tmp_path, text, message):
    path = tmp_path / "mine.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        load_hedges(path)


def hedges(*expressions):
    table = pd.DataFrame({"expression": list(expressions), "source": "ours", "frame": "adverb"})
    return table.assign(kind="confidence", register="neutral", polarity="for")


def scores(rng, **betas):
    parts = [pd.DataFrame({"expression": e, "score": rng.beta(*ab, 400)}) for e, ab in betas.items()]
    return pd.concat(parts, ignore_index=True)


def test_both_fits_find_the_distribution(rng):
    lexicon = fit_lexicon(hedges("perhaps", "surely"), scores(rng, perhaps=(4, 6), surely=(19, 1)))
    table = lexicon.table.set_index("expression")
    assert table["n"].tolist() == [400, 400]
    np.testing.assert_allclose(lexicon.confidence.mean, [0.4, 0.95], atol=0.02)
    for fit in ("moments", "mle"):
        mean = table[f"{fit}_alpha"] / (table[f"{fit}_alpha"] + table[f"{fit}_beta"])
        np.testing.assert_allclose(mean, [0.4, 0.95], atol=0.02)


def test_the_protocol_chooses_the_fit(rng):
    raw = scores(rng, perhaps=(4, 6))
    moments = fit_lexicon(hedges("perhaps"), raw).table
    mle = fit_lexicon(hedges("perhaps"), raw, protocol="paper").table
    assert moments["alpha"][0] == moments["moments_alpha"][0]
    assert mle["alpha"][0] == mle["mle_alpha"][0]
    expected = stats.beta.fit(raw["score"].clip(1e-6, 1 - 1e-6), floc=0, fscale=1)[:2]
    np.testing.assert_allclose(mle[["alpha", "beta"]].to_numpy()[0], expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("expression", "mean", "flags"),
    [
        ("without a doubt", 0.95, []),
        ("without a doubt", 0.2, ["wording"]),
        ("I have no idea", 0.9, ["wording"]),
        ("I am not sure", 0.2, []),
        ("in the fullness of time", 0.9, ["unread"]),
    ],
)
def test_the_audit(expression, mean, flags):
    assert audit_flags(expression, mean, mean) == flags


def test_what_a_model_apart_from_every_run_reads_otherwise_is_left_out():
    # Half of the evaluators of "I am not sure" take it for ignorance, not for doubt; "I am guessing" goes, too,
    # although people who were asked read it as the evaluator in the loop does.
    apart = apart_readings()
    assert set(apart) == set(load_hedges()["expression"])
    assert entry_flags(committed_row("I am unsure"), 0.15, 0.15) == "evaluators"
    assert entry_flags(committed_row("I am unsure"), apart["I am unsure"], apart["I am unsure"]) == ""
    asked = human_reading("I am guessing").mean
    assert abs(apart["I am guessing"] - asked) > HUMAN_BOUND
    assert entry_flags(committed_row("I am guessing"), asked, asked) == "evaluators"


def committed_row(expression):
    return next(hedge for hedge in committed() if hedge["expression"] == expression)


def test_what_people_read_otherwise_is_left_out():
    # "probably not" was read as .65 by its first word; people who were asked say .25.
    raw = pd.DataFrame({"expression": ["probably not"] * 9 + ["probable"] * 9, "score": [0.65, 0.6, 0.7] * 6})
    fitted = fit_lexicon(hedges("probable", "probably not"), raw)
    assert fitted.table.set_index("expression")["flags"].to_dict() == {
        "probable": "",
        "probably not": "human;evaluators",
    }
    assert fitted.usable().table["expression"].tolist() == ["probable"]


def test_flagged_entries_are_not_usable(rng):
    lexicon = fit_lexicon(hedges("perhaps", "surely"), scores(rng, perhaps=(4, 6), surely=(1, 19)))
    assert lexicon.usable().table["expression"].tolist() == ["perhaps"]
    with pytest.raises(ValueError, match="no expressions"):
        fit_lexicon(hedges("surely"), scores(rng, surely=(1, 19))).usable()


def test_what_is_missing_is_named(rng):
    raw = scores(rng, perhaps=(4, 6))
    with pytest.raises(ValueError, match="'surely' has no scores"):
        fit_lexicon(hedges("perhaps", "surely"), raw)
    with pytest.raises(ValueError, match="'perhaps' is not in the lexicon"):
        fit_lexicon(hedges("surely"), raw)
    with pytest.raises(ValueError, match="no column 'source'"):
        Lexicon(pd.DataFrame({"expression": ["a"]}))


def test_human_readings_stand_beside(rng):
    table = fit_lexicon(
        hedges("it is likely", "surely"), scores(rng, **{"it is likely": (7, 3), "surely": (9, 1)})
    ).table
    assert table["human_mean"][0] == pytest.approx(0.726, abs=0.001)
    assert table["human_source"].tolist() == ["capphrase", "none"]


def test_hedges_that_claim_what_nobody_knows_are_left_out_under_their_kind():
    raw = pd.DataFrame({"expression": ["reportedly", "likely"] * 9, "score": [0.7, 0.7] * 9})
    known = hedges("likely", "reportedly").assign(kind=["confidence", "evidential"])
    assert fit_lexicon(known, raw).table["flags"].tolist() == ["", "evidential"]
    assert fit_lexicon(known, raw, protocol="paper").table["flags"].tolist() == ["", ""]


def test_what_another_evaluator_reads_otherwise_is_left_out():
    raw = pd.DataFrame(
        {"expression": ["perchance"] * 3 + ["likely"] * 3, "score": [0.4, 0.41, 0.39, 0.7, 0.72, 0.71]}
    )
    others = {
        "cue_model_b": pd.Series({"perchance": 0.2, "likely": 0.5})
    }  # also where people were asked: "likely"
    fitted = fit_lexicon(hedges("likely", "perchance"), raw, others=others)
    assert fitted.table["flags"].tolist() == ["evaluators", "evaluators"]
    others = {"cue_model_b": pd.Series({"perchance": 0.2, "likely": 0.6})}
    fitted = fit_lexicon(hedges("likely", "perchance"), raw, others=others)
    assert fitted.table["flags"].tolist() == ["", "evaluators"]


def test_the_default_lexicon_covers_the_scale_with_honest_hedges():
    usable = built_in_lexicon().usable()
    mean = np.sort(usable.confidence.mean)
    assert len(usable) >= 120
    assert mean[0] <= 0.10
    assert mean[-1] >= 0.95
    assert np.diff(mean).max() <= 0.05 + 1e-9
    kinds = load_hedges().set_index("expression")
    assert set(kinds.loc[usable.table["expression"], "kind"]) == {"confidence"}
    assert "reverses" not in set(kinds.loc[usable.table["expression"], "polarity"])


def test_a_file_may_say_what_its_hedges_are(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(
        "expression,frame,kind\nby my lights,opener,social\nreportedly,adverb,\nstudies show,clause,\n"
    )
    mine = load_hedges(path).set_index("expression")["kind"].to_dict()
    assert mine == {"by my lights": "social", "reportedly": "evidential", "studies show": "evidential"}


def test_distributions_of_readings_are_fitted_by_their_moments_without_noise():
    rows = pd.DataFrame({"expression": "perhaps", "score": [0.3, 0.5], "variance": [0.02, 0.04]})
    entry = fit_lexicon(hedges("perhaps"), rows).table.iloc[0]
    mean, variance = 0.4, 0.03 + 0.01  # of the mixture: within and between the sentences
    assert entry["alpha"] / (entry["alpha"] + entry["beta"]) == pytest.approx(mean)
    assert entry["alpha"] + entry["beta"] == pytest.approx(mean * (1 - mean) / variance - 1)
    # There are no scores for a likelihood.
    assert fit_lexicon(hedges("perhaps"), rows, protocol="paper").table["alpha"][0] == pytest.approx(
        entry["alpha"]
    )
