"""Answers whose sentences have a confidence each: in Python and on the command line."""

import json

import numpy as np
import pytest

from ralc import WordCalibrator
from ralc.calibrator.confidence import as_confidence
from ralc.cli.app import main
from ralc.protocols import resolve
from ralc.rewriting.rewriter import DROPPED, NO_CONFIDENCE, PART

BIOGRAPHY = "Ada Lima is an engineer. She was born in 1951 in Cusco. She studied in Oslo. She lives in Quito."


@pytest.fixture(scope="module")
def answers():
    """Scores and shares of forty answers of five sentences."""
    rng = np.random.default_rng(3)
    scores = rng.uniform(0.02, 0.98, (40, 5))
    return scores, np.round(4 * np.clip(scores + rng.normal(0, 0.15, scores.shape), 0, 1)) / 4


@pytest.fixture(scope="module")
def fitted(answers):
    scores, share = (one.ravel() for one in answers)
    return WordCalibrator().fit(scores, share, groups=np.repeat(np.arange(40), 5))


def test_answers_are_counted_not_sentences(fitted, answers):
    assert fitted.n_answers_ == 40
    assert fitted.base_rate_ == pytest.approx(answers[1].mean())


def test_each_sentence_says_its_own(fitted):
    scores = [0.97, 0.5, 0.55, 0.1]
    (made,) = fitted.rewrite([BIOGRAPHY], [scores])
    assert made.calibrated
    assert made.changed
    assert [float(one.target.mean) for one in made.sentences] == fitted.transform(scores).mean.tolist()
    assert made.target.mean.tolist() == fitted.transform(scores).mean.tolist()
    assert all(one.calibrated for one in made.sentences)
    assert [one.original for one in made.sentences] == [f"{one}." for one in BIOGRAPHY[:-1].split(". ")]
    assert fitted.rewrite([BIOGRAPHY], [as_confidence(scores, resolve("ralc"))])[0].text == made.text


def test_answers_of_all_kinds_together_are_as_alone(fitted):
    texts = [BIOGRAPHY, "It is Lima.", "Thanks!", "", BIOGRAPHY, BIOGRAPHY]
    confidences = [[0.9, 0.5, 0.5, 0.2], 0.7, [], None, 0.6, [None, 0.5, np.nan, 0.9]]
    made = fitted.rewrite(texts, confidences)
    assert [one.original for one in made] == texts
    assert made[1] == fitted.rewrite(["It is Lima."], [0.7])[0]
    assert made[4].text == fitted.rewrite([BIOGRAPHY], [0.6])[0].text
    assert [one.changed for one in made[2:4]] == [False, False]
    assert [one.reason for one in made[2:4]] == ["it claims nothing", "it is empty"]
    assert [one.reason == NO_CONFIDENCE for one in made[5].sentences] == [True, False, True, False]
    many = fitted.rewrite([BIOGRAPHY] * (PART + 1), [[0.9, 0.5, 0.5, 0.2]] * (PART + 1))
    assert {one.text for one in many} == {made[0].text}


def test_a_wrong_number_of_confidences_names_the_sentences(fitted):
    with pytest.raises(
        ValueError, match=r"answer 1: 2 confidences came for 4 sentences .*'She studied in Oslo\.'"
    ):
        fitted.rewrite(["It is Lima.", BIOGRAPHY], [0.5, [0.5, 0.6]])
    with pytest.raises(ValueError, match="must be in"):
        fitted.rewrite([BIOGRAPHY], [[0.5, 0.6, 1.7, 0.2]])
    with pytest.raises(ValueError, match="not one of hedge, drop, mark"):
        fitted.rewrite([BIOGRAPHY], [[0.5] * 4], below="hide")


def test_the_command_line_takes_lists(answers, tmp_path, capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main([*map(str, arguments)])
        return int(stopped.value.code or 0), *capsys.readouterr()

    table, said, file = (tmp_path / name for name in ("in.jsonl", "said.jsonl", "cal.json"))
    rows = [{"confidence": a.tolist(), "correct": b.tolist()} for a, b in zip(*answers, strict=True)]
    rows += [{"confidence": [0.5], "correct": [1, 0]}, {"confidence": [0.5, 0.5], "correct": 1}]
    table.write_text("\n".join(map(json.dumps, rows)))
    code, out, err = run("fit", table, "--out", file)
    assert code == 3
    assert "40 answers of 200 sentences" in out
    assert "line 41" in err
    rows = [
        {"answer": BIOGRAPHY, "confidence": [0.97, 0.5, 0.5, 0.02]},
        {"answer": BIOGRAPHY, "confidence": [0.5]},
    ]
    said.write_text("\n".join(map(json.dumps, rows)))
    code, out, err = run("rewrite", said, "--calibrator", file, "--below", "drop")
    (told,) = map(json.loads, out.splitlines())
    made = WordCalibrator.load(file).rewrite([BIOGRAPHY], [rows[0]["confidence"]], below="drop")[0]
    assert code == 3
    assert "line 2: 1 confidences came for 4 sentences" in err
    assert told["text"] == made.text
    assert [one["reason"] for one in told["sentences"]] == ["it says so already", "", "", DROPPED]
    assert [told["text"][one["start"] : one["end"]] for one in told["sentences"]][3] == ""


def told(place: int) -> list[str]:
    """Three answers about a person, who is another each time; the others say the first sentence, and not the last."""
    first = f"She was born in {1900 + place} in Oslo."
    return [f"{first} She wrote {place} plays.", f"{first} She sang.", f"{first} She painted."]


SAMPLES = [told(place) for place in range(40)]
SHARES = [[1.0 if place % 5 else 0.5, 0.0 if place % 4 else 1.0] for place in range(40)]


def test_samples_of_long_answers_are_fitted_sentence_by_sentence():
    fitted = WordCalibrator("support").fit_samples(SAMPLES, SHARES)
    assert fitted.n_answers_ == 40
    assert fitted.base_rate_ == pytest.approx(np.mean(SHARES))
    (most,), (confidence,) = fitted.confidence_of([told(7)])
    assert most.answer == told(7)[0]
    # Two others say all of the first sentence; of the second, "plays" and the 7 (three times as heavy), nothing.
    # Of the sentence beside it each takes 0.15.
    assert confidence.mean == pytest.approx([2.2 / 3, 0.8 / 3])
    (made,) = fitted.rewrite([most.answer], [confidence])
    assert [float(one.target.mean) for one in made.sentences] == fitted.transform(confidence).mean.tolist()
    without = [[share, None] for share, _ in SHARES[:5]] + SHARES[5:]
    assert WordCalibrator("support").fit_samples(SAMPLES, without).base_rate_ == pytest.approx(
        np.mean([share for own in without for share in own if share is not None])
    )


def test_a_first_long_answer_is_taken_though_another_leads_with_the_same():
    several = ["She sang. She wrote plays.", "She danced. She wrote.", "She danced. She painted."]
    (most,), _ = WordCalibrator("support").confidence_of([several])
    assert most.answer == several[0]
    (short,), (confidence,) = WordCalibrator("support").confidence_of([["Oslo", "Bergen", "It is Bergen."]])
    assert short.answer == "Bergen"
    assert confidence.shape == (1,)


@pytest.mark.parametrize(
    ("correct", "reason"),
    [
        ([[1.0]] * 40, "answer 0 has 1 outcomes for 2 sentences"),
        ([[None, None]] * 40, "no sentence has an outcome"),
        ([[1.0, 2.0]] * 40, "in \\[0, 1\\]"),
        (SHARES[:3], "samples and correct"),
    ],
)
def test_outcomes_that_are_none_of_the_sentences_are_refused(correct, reason):
    with pytest.raises(ValueError, match=reason):
        WordCalibrator("support").fit_samples(SAMPLES, correct)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The same answers as files: with shares, and with the facts that people labelled."""
    folder = tmp_path_factory.mktemp("recorded")
    rows = [{"samples": own, "correct": share} for own, share in zip(SAMPLES, SHARES, strict=True)]
    facts = []
    for own, (first, second) in zip(SAMPLES, SHARES, strict=True):
        end = own[0].index(".") + 1
        stretches = [[0, end, int(2 * first), 2], [end + 1, len(own[0]), int(second), 1]]
        facts.append({"answers": own, "facts": [stretches, None, None]})
    for name, table in (("shares", rows), ("facts", facts)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in table))
    return folder


def test_files_of_samples_are_fitted_and_rewritten_by_sentence(recorded, capsys):
    expected = WordCalibrator("support").fit_samples(SAMPLES, SHARES)
    for name in ("shares", "facts"):
        out = recorded / f"{name}.json"
        with pytest.raises(SystemExit) as end:
            main(["fit", str(recorded / f"{name}.jsonl"), "--out", str(out), "--signal", "support"])
        assert not end.value.code
        assert "40 answers of 80 sentences" in capsys.readouterr().out
        loaded = WordCalibrator.load(out)
        assert loaded.transform([0.2, 0.8]).mean.tolist() == expected.transform([0.2, 0.8]).mean.tolist()
    with pytest.raises(SystemExit):
        main(["rewrite", str(recorded / "shares.jsonl"), "--calibrator", str(out), "--json"])
    made = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(made) == 40
    assert all(len(row["sentences"]) == len(row["target"]) == 2 for row in made)


def test_a_row_whose_shares_are_none_of_its_sentences_is_a_bad_row(recorded, capsys):
    path = recorded / "odd.jsonl"
    odd = {"samples": SAMPLES[0], "correct": [1, 0, 1]}
    path.write_text((recorded / "shares.jsonl").read_text() + json.dumps(odd) + "\n")
    with pytest.raises(SystemExit) as end:
        main(["fit", str(path), "--out", str(recorded / "odd.json"), "--signal", "support"])
    assert end.value.code == 3
    told = "line 41: correct has 3 entries, and its answer 2 sentences that claim something"
    assert told in capsys.readouterr().err
