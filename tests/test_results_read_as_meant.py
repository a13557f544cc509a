"""Whether words are read as meant, and what the readers that say so are worth."""

import numpy as np
import pandas as pd
import pytest

from ralc.results import read_as_meant, worth
from ralc.results.select import main_reader
from studies.checks import compared, within_hedges

METRIC = {
    "protocol": "ralc",
    "target": "m",
    "subset": "all",
    "signal": "semantic_uncertainty",
    "method": "ralc",
    "versus": "none",
    "space": "linguistic",
    "metric": "spearman_mean_hedged",
    "n": 60,
}


def metrics(*rows):
    """Rows of metrics: (dataset, reader, variant, value)."""
    return pd.DataFrame(
        [
            METRIC | {"dataset": d, "train": d, "reader": reader, "variant": variant, "value": value}
            for d, reader, variant, value in rows
        ]
    )


@pytest.fixture(autouse=True)
def known(monkeypatch):
    """A probe whose reliability lets no rho pass .9, and which meets the bars."""
    found = {
        "probe": {
            "reliability": 0.81,
            "error_correlation": 0.4,
            "sd_within_hedge": 0.05,
            "low_error": 0.05,
            "hedge_slope": 0.9,
            "pearson": 0.9,
            "spearman_mean": 0.75,
        }
    }
    for module in (read_as_meant, worth):
        monkeypatch.setattr(module, "checks", lambda reader: found.get(reader, {}))
    return found


def said(table):
    """The lines of a metrics table, by reader, and the sentence."""
    found = read_as_meant.lines(table, "semantic_uncertainty")
    return {line.reader: line for line in found}, read_as_meant.read_as_meant(found)


def test_each_line_is_said_with_its_numbers_and_a_low_rho_of_a_noisy_reader_is_no_loss():
    rows = [(d, "cues", "default", 0.99) for d in ("a", "b")]
    rows += [("a", "probe", "default", 0.73), ("b", "probe", "default", 0.74)]
    rows += [("a", "people", "lexicon=people", 0.95), ("b", "people", "lexicon=people", 0.5)]
    lines, sentence = said(metrics(*rows))
    # .73 is not .8, but it is .8 of what the reader's reliability lets it be.
    assert sentence == (
        "RALC's words are read as meant by probe; on a alone by people's own numbers of the phrases."
    )
    assert list(lines) == ["people", "probe"]
    assert lines["people"].rho == {"a": 0.95, "b": 0.5}
    assert "reliability 0.81, so that no ρ can pass 0.90" in lines["probe"].worth
    assert "not independent" not in lines["probe"].worth


def test_words_from_an_unscreened_lexicon_have_lines_of_their_own():
    rows = [("a", reader, "default", 0.9) for reader in ("cues", "probe")]
    table = metrics(
        *rows, ("a", "probe", "lexicon=unscreened", 0.7), ("a", "cues", "lexicon=unscreened", 0.9)
    )
    assert [line.variant for line in read_as_meant.lines(table, "semantic_uncertainty")] == ["default"]
    (line,) = read_as_meant.unscreened_lines(table, "semantic_uncertainty")
    assert (line.who, line.rho) == ("probe, from an unscreened lexicon", {"a": 0.7})
    assert read_as_meant.unscreened_lines(metrics(*rows), "semantic_uncertainty") == []


def test_words_that_are_not_read_as_meant_are_called_so():
    rows = [("a", "cues", "default", 0.99), ("a", "probe", "default", 0.2)]
    lines, sentence = said(metrics(*rows))
    assert sentence == "RALC's words are not read as meant by probe."
    assert lines["probe"].passed == {}
    beside = metrics(*rows, ("a", "judge", "default", 0.95), ("a", "people", "lexicon=people", 0.9))
    assert said(beside)[1] == (
        "RALC's words are read as meant by people's own numbers of the phrases and judge; not by probe."
    )
    assert "Too few answers" in said(metrics(*rows).assign(n=4))[1]
    few = beside.assign(n=beside["n"].mask(beside["reader"] == "judge", 4))
    assert said(few)[1].endswith("not by probe; too few answers were read by judge to say.")


def test_answers_that_were_passed_unhedged_are_left_out_and_said_to_be():
    rows = metrics(("a", "cues", "default", 0.99), ("a", "probe", "default", 0.9))
    every = metrics(("a", "probe", "default", 0.2)).assign(metric="spearman_mean")
    passed = metrics(("a", "probe", "default", 0.33)).assign(metric="passed_rate")
    lines, sentence = said(pd.concat([rows, every, passed]))
    assert sentence == "RALC's words are read as meant by probe."
    assert lines["probe"].rho == {"a": 0.9}
    assert read_as_meant.passed_unhedged(list(lines.values())) == "a 33.0 %"


@pytest.mark.parametrize(
    "change",
    [
        *({"error_correlation": 0.5}, {"sd_within_hedge": 0.07}, {"pearson": 0.8}, {"spearman_mean": 0.7}),
        *({"low_error": 0.09}, {"hedge_slope": 0.7}),
    ],
)
def test_a_reader_that_misses_one_bar_is_not_independent(known, change):
    assert worth.independent("probe")
    known["probe"] |= change
    assert not worth.independent("probe")
    assert "not independent of the loop" in worth.worth("probe")


def test_the_headline_is_the_first_judge_s_that_is_independent_else_the_first_one_s(known):
    read = metrics(*(("a", reader, "default", 0.9) for reader in ("cues", "judge", "probe")))
    assert main_reader(read) == "probe"
    other = metrics(*(("a", reader, "default", 0.9) for reader in ("ensemble", "judge", "probe")))
    assert main_reader(other) == "judge"  # errors were compared with those of cues alone
    known["probe"]["error_correlation"] = 0.5
    assert main_reader(read) == "judge"
    assert main_reader(metrics(("a", "cues", "default", 0.9))) == "cues"


def test_an_unchecked_reader_is_neither_independent_nor_worth_a_word():
    assert not worth.independent("ensemble")
    assert worth.worth("ensemble") == ""


def test_errors_were_compared_with_those_of_the_packaged_reader_alone():
    assert "errors on human scores correlate 0.40 with the in-loop reader's" in worth.worth("probe")
    other = worth.worth("probe", "ensemble")
    assert "0.40" not in other
    assert "whether it errs where the in-loop reader (LLM ensemble) errs was not measured" in other
    rows = metrics(("a", "ensemble", "default", 0.99), ("a", "probe", "default", 0.9))
    assert "was not measured" in said(rows)[0]["probe"].worth


def test_what_two_readers_share_is_said_whichever_of_them_is_in_the_loop(known):
    known["judge"] = known["probe"] | {"error_correlation": 0.9}
    known["cues"] = {"reliability": 1.0}
    assert "errors on human scores correlate 0.90" in worth.worth("cues", "judge")
    assert "not independent" in worth.worth("cues", "judge")


def test_what_contents_put_into_a_reading_is_no_reading_of_the_hedge(rng):
    hedges = pd.Series(np.repeat([f"h{i}" for i in range(40)], 50))
    meant = np.repeat(rng.normal(0, 0.2, 40), 50)
    sd, reliability = within_hedges(pd.Series(meant + rng.normal(0, 0.1, 2000)), hedges)
    assert sd == pytest.approx(0.1, abs=0.01)
    assert reliability == pytest.approx(0.8, abs=0.06)
    assert within_hedges(pd.Series(rng.normal(0, 0.1, 2000)), hedges)[1] < 0.05


def test_errors_that_are_made_apart_do_not_correlate(rng):
    human = rng.uniform(size=2000)
    mine, theirs = (human + rng.normal(0, 0.1, 2000) for _ in range(2))
    found = compared(mine, human, theirs)
    assert abs(found["error_correlation"].value) < 0.1
    assert found["pearson"].value > 0.9
    assert compared(mine, human, mine)["error_correlation"].value == pytest.approx(1)
