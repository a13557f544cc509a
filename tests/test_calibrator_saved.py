"""Saved calibrators: the same numbers back, and nothing but an error from a file that is not sound."""

import json
import re

import numpy as np
import pytest

from ralc import WordCalibrator
from ralc.calibrator import SamplingDesign, serialization
from ralc.cli.app import card as main_card
from ralc.lexicon.expressions import committed_expressions
from tests.cases import cases
from tests.commands import exit_code

RNG = np.random.default_rng(2)
SCORES = RNG.random(120)
CORRECT = (RNG.random(120) < SCORES).astype(int)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("calibrator") / "cal.json"
    calibrator = WordCalibrator().fit(SCORES, CORRECT)
    calibrator.evaluate(SCORES, CORRECT)
    calibrator.save(path, fitted_on="simulated answers")
    return path


def unsealed(path):
    """What a file holds, without its checksum."""
    return {key: value for key, value in json.loads(path.read_text()).items() if key != "sha256"}


@pytest.mark.parametrize("kind", ["platt", "temperature", "isotonic", "histogram", "beta", "identity"])
@pytest.mark.parametrize("protocol", ["ralc", "paper", "authors"])
def test_every_map_comes_back_as_it_was(tmp_path, kind, protocol):
    calibrator = WordCalibrator(map=kind, protocol=protocol).fit(SCORES, CORRECT)
    calibrator.save(tmp_path / "cal.json")
    loaded = WordCalibrator.load(tmp_path / "cal.json")
    np.testing.assert_array_equal(loaded.transform(SCORES).mean, calibrator.transform(SCORES).mean)
    before, after = (c.rewrite(["It is Paris."] * 3, [0.1, 0.5, 0.9]) for c in (calibrator, loaded))
    assert [one.text for one in before] == [one.text for one in after]


def test_saving_again_gives_the_same_file(saved, tmp_path):
    WordCalibrator.load(saved).save(tmp_path / "again.json", fitted_on="simulated answers")
    assert (tmp_path / "again.json").read_text() == saved.read_text()


def test_the_card_tells(saved):
    told = str(serialization.read(saved))
    for part in (
        "simulated answers: 120 answers",
        "rests mostly on the graded answers: 120",
        "cue_model",
        "brier_score",
    ):
        assert part in told


def test_the_card_is_a_page_of_its_own_with_its_figure(saved, tmp_path):
    pytest.importorskip("matplotlib")
    main_card(str(saved), html=str(tmp_path / "card.html"), as_json=False)
    page = (tmp_path / "card.html").read_text()
    assert page.count('src="data:image/svg+xml;base64,') == 1
    assert "simulated answers: 120 answers" in page
    assert not re.search(r"(?:src|href)=\"(?!data:)", page)
    with pytest.raises(ValueError, match=r"the ending must be \.html"):
        main_card(str(saved), html=str(saved), as_json=False)
    WordCalibrator().fit(SCORES, CORRECT).save(tmp_path / "bare.json", fitted_on="<script>alert(1)</script>")
    main_card(str(tmp_path / "bare.json"), html=str(tmp_path / "bare.html"), as_json=False)
    bare = (tmp_path / "bare.html").read_text()
    assert "not evaluated" in bare
    assert "<img" not in bare
    assert "<script>alert" not in bare


def test_the_card_tells_how_many_answers_were_asked_for(tmp_path):
    design = SamplingDesign(fewest=10, most=10, temperature=0.7)
    calibrator = WordCalibrator("token_probability").fit(SCORES, CORRECT, design=design)
    calibrator.save(tmp_path / "cal.json", fitted_on="tickets\n\x1b[31m")
    told = str(serialization.read(tmp_path / "cal.json"))
    assert "signal      token_probability (10 answers a question, at temperature 0.7)" in told
    assert "fitted on   tickets\\n\\u001b[31m: 120" in told  # no terminal obeys it
    assert WordCalibrator.load(tmp_path / "cal.json").design_ == design


@cases
def test_a_changed_file_is_refused_with_the_reason(saved, tmp_path, change, message):
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(unsealed(saved) | change))
    with pytest.raises(ValueError, match=message):
        WordCalibrator.load(path)


@pytest.mark.parametrize(
    "learned",
    [
        {"transform": 1},
        {"__class__": 1},
        {"slope_": "steep", "intercept_": 0.0},
        {"slope_": float("nan")},
        {},
    ],
)
def test_a_map_that_is_none_is_refused(saved, tmp_path, learned):
    data = unsealed(saved)
    data["calibration"]["learned"] = learned | {"flags_": []}
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ValueError, match=r"changed\.json: "):
        WordCalibrator.load(path)


@cases
def test_a_hostile_part_is_refused_by_card_and_rewrite(saved, tmp_path, part, change, message):
    data = json.loads(saved.read_text())
    path = tmp_path / "changed.json"
    for one in data["lexicon"] if part == "lexicon" else [data["card"]]:
        one |= change
    del data["sha256"]
    path.write_text(json.dumps(data))
    for load in (serialization.read, WordCalibrator.load):
        with pytest.raises(ValueError, match=rf"changed\.json: {message}"):
            load(path)


def with_lexicon(saved, path, change, **more):
    """The file with a change of every entry, without its checksum, as who means harm would."""
    data = json.loads(saved.read_text()) | more
    data["lexicon"] = change(data["lexicon"])
    del data["sha256"]
    path.write_text(json.dumps(data))
    return path


def entry(expression, mean=0.7, flags=""):
    """A row of a lexicon."""
    told = {"expression": expression, "source": "a stranger", "frame": "adverb", "n": 1, "flags": flags}
    return told | {"alpha": 20 * mean, "beta": 20 * (1 - mean)}


@cases
def test_a_hedge_of_a_stranger_is_a_hedge(saved, tmp_path, expression, mean, message):
    def with_it(flags):
        row = entry(expression.strip(), mean, flags)
        return lambda rows: [*(one for one in rows if one["expression"] != row["expression"]), row]

    path = with_lexicon(saved, tmp_path / "cal.json", with_it(""))
    with pytest.raises(ValueError, match=rf"cal\.json: lexicon.*{message}"):
        WordCalibrator.load(path)
    with_lexicon(saved, path, with_it("unread"))  # with flags it is never put in, and left out
    taken = WordCalibrator.load(path).lexicon_.table["expression"].tolist()
    assert (expression.strip() in taken) == (expression in committed_expressions())
    assert len(taken) >= 20


def test_a_lexicon_of_a_stranger_is_not_without_end(saved, tmp_path):
    def many(rows):
        return [entry(f"perhaps so {chr(97 + i % 26)}{i // 26 * 'a'}"[:90], 0.4) for i in range(3000)]

    with pytest.raises(ValueError, match=r"lexicon: .*at most 2000"):
        WordCalibrator.load(with_lexicon(saved, tmp_path / "cal.json", many))


def test_hedges_of_one_s_own_come_back_and_are_named(saved, tmp_path, capsys):
    path = with_lexicon(
        saved, tmp_path / "cal.json", lambda rows: [*rows, entry("it is quite probably so that", 0.7)]
    )
    assert "it is quite probably so that" in WordCalibrator.load(path).lexicon_.table["expression"].tolist()
    main_card(str(path), html="", as_json=False)
    assert "1 of its hedges are not ralc's own: it is quite probably so that\n" in capsys.readouterr().out


def test_an_edited_lexicon_is_refused(saved, tmp_path):
    data = json.loads(saved.read_text())
    data["lexicon"][0]["alpha"] = 1.0
    (tmp_path / "changed.json").write_text(json.dumps(data))
    with pytest.raises(ValueError, match="sha256: not of this content"):
        WordCalibrator.load(tmp_path / "changed.json")


@pytest.mark.parametrize("text", ["", "not json", "[" * 100_000, "[]", "null"])
def test_what_is_no_calibrator_is_refused(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ValueError, match=r"x\.json: (not|is empty)"):
        WordCalibrator.load(tmp_path / "x.json")


def test_a_saved_map_s_reliability_is_drawn(saved, tmp_path):
    pytest.importorskip("matplotlib")
    table = tmp_path / "fresh.csv"
    figure = tmp_path / "out.svg"
    table.write_text(
        "confidence,correct\n" + "\n".join(f"{s:.3f},{y}" for s, y in zip(SCORES, CORRECT, strict=True))
    )
    assert exit_code(f"evaluate {saved} {table} --figure {figure}") == 0
    drawn = figure.read_text()
    assert drawn.startswith("<?xml")
    assert "<desc>120 answers." in drawn
    assert exit_code(f"evaluate {saved} {table} --figure {tmp_path}/out.png") == 2
    assert not (tmp_path / "out.png").exists()
