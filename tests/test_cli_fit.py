"""`ralc fit`, `ralc rewrite` and `ralc card` on other people's files of scores and of words."""

import json

import numpy as np
import pytest

from ralc import WordCalibrator
from ralc.cli import cells, rows
from tests.test_cli_read import run

RNG = np.random.default_rng(4)


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    path = tmp_path_factory.mktemp("scores") / "scores.csv"
    confidence = RNG.random(150).round(3)
    correct = (RNG.random(150) < confidence).astype(int)
    table = [
        {"answer": f"The answer is item {i}.", "confidence": c, "correct": y}
        for i, (c, y) in enumerate(zip(confidence.tolist(), correct.tolist(), strict=True))
    ]
    rows.save(table, str(path))
    return path


def test_fit_rewrite_card(capsys, tmp_path, scores):
    cal, out = tmp_path / "cal.json", tmp_path / "out.csv"
    code, told, _ = run(capsys, "fit", str(scores), "--out", str(cal), "--note", "made up")
    assert code == 0
    assert "150 answers" in told
    assert run(capsys, "rewrite", str(scores), "--calibrator", str(cal), "--out", str(out))[0] == 0
    source, made = rows.load(str(scores)).rows, rows.load(str(out)).rows
    lines = run(capsys, "rewrite", str(scores), "--calibrator", str(cal), "--json")[1].splitlines()
    assert [json.loads(line)["text"] for line in lines] == [row.cells["text"] for row in made]
    calibrator = WordCalibrator.load(cal)
    expected = calibrator.rewrite(
        [row.cells["answer"] for row in source], [float(row.cells["confidence"]) for row in source]
    )
    assert [row.cells["text"] for row in made] == [one.text for one in expected]
    assert {"text", "hedge", "target", "calibrated", "read", "reason"} <= set(made[0].cells)
    assert "made up: 150 answers" in run(capsys, "card", str(cal))[1]
    assert json.loads(run(capsys, "card", str(cal), "--json")[1])["n"] == 150


def test_words_alone(capsys, tmp_path):
    source, cal = tmp_path / "in.csv", tmp_path / "cal.json"
    table = [{"answer": ["Certainly Oslo.", "Perhaps Rome."][i % 2], "correct": i % 2} for i in range(40)]
    rows.save(table, str(source))
    code, _, err = run(capsys, "fit", str(source), "--out", str(cal))
    assert code == 0
    assert "no column confidence or samples: the words of the answers are read" in err
    assert run(capsys, "rewrite", str(source), "--calibrator", str(cal), "--style", "range")[0] == 0


def test_bad_rows_are_left_out_counted_and_kept(capsys, tmp_path, scores):
    source, cal = tmp_path / "in.csv", tmp_path / "cal.json"
    source.write_text(scores.read_text() + "x,high,1\ny,0.5,perhaps\nz,85,1\n")
    code, _, err = run(capsys, "fit", str(source), "--out", str(cal))
    assert code == 3
    assert "line 152: confidence is no number: 'high'" in err
    assert "rows done: 150; bad: 3, in" in err
    assert len(rows.load(str(tmp_path / "in.bad.jsonl")).rows) == 3
    assert json.loads(cal.read_text())["card"]["left_out"] == 3


@pytest.mark.parametrize(
    ("header", "row", "made"),
    [
        (",answer,confidence", "7,It is Paris.,0.5", "7,It is Paris.,0.5,"),
        ("answer,confidence,,", "It is Paris.,0.5,,", "It is Paris.,0.5,"),
        ("answer;confidence", "It is Paris.;0,5", 'It is Paris.,"0,5",'),
        ("answer|confidence", "It is Paris.|0.5", "It is Paris.,0.5,"),
    ],
)
def test_files_as_pandas_and_spreadsheets_write_them(capsys, tmp_path, scores, header, row, made):
    cal, source = tmp_path / "cal.json", tmp_path / "answers.csv"
    run(capsys, "fit", str(scores), "--out", str(cal))
    source.write_text(f"{header}\n{row}\n")
    code, out, err = run(capsys, "rewrite", str(source), "--calibrator", str(cal))
    assert (code, err) == (0, "")
    assert out.splitlines()[1].startswith(made)


def test_the_answers_may_stand_in_a_column_that_is_named(capsys, tmp_path, scores):
    cal, words, source = tmp_path / "cal.json", tmp_path / "words.json", tmp_path / "answers.csv"
    run(capsys, "fit", str(scores), "--out", str(cal))
    table = [
        {"reply": ["Certainly Oslo.", "Perhaps Rome."][i % 2], "confidence": 0.5, "correct": i % 2}
        for i in range(40)
    ]
    rows.save([{key: row[key] for key in ("reply", "correct")} for row in table], str(source))
    assert run(capsys, "fit", str(source), "--out", str(words), "--column", "reply")[0] == 0
    assert WordCalibrator.load(words).signal_ == "linguistic_confidence"
    assert (
        "no column confidence, samples or said"
        in run(capsys, "fit", str(source), "--out", str(words), "--column", "said")[2]
    )
    rows.save(table, str(source))
    for calibrator in cal, words:
        code, out, _ = run(
            capsys, "rewrite", str(source), "--calibrator", str(calibrator), "--column", "reply"
        )
        assert (code, "Oslo" in out) == (0, True)


def test_json_lines_hold_no_number_that_json_does_not_have(capsys, tmp_path, scores):
    cal, source = tmp_path / "cal.json", tmp_path / "answers.jsonl"
    run(capsys, "fit", str(scores), "--out", str(cal))
    source.write_text('{"answer": "It is Paris.", "confidence": NaN, "own": [{"logprob": -Infinity}]}\n')
    code, out, _ = run(capsys, "rewrite", str(source), "--calibrator", str(cal))
    made = json.loads(out, parse_constant=pytest.fail)
    assert (code, made["confidence"], made["own"]) == (0, None, [{"logprob": None}])


def test_no_column_of_ones_own_is_overwritten(capsys, tmp_path, scores):
    cal, source, out = tmp_path / "cal.json", tmp_path / "answers.csv", tmp_path / "out.csv"
    run(capsys, "fit", str(scores), "--out", str(cal))
    source.write_text("answer,confidence,text\nIt is Paris.,0.4,mine\n")
    code, _, err = run(capsys, "rewrite", str(source), "--calibrator", str(cal), "--out", str(out))
    assert (code, out.exists()) == (1, False)
    assert "answers.csv: has 'text', which the output would overwrite: rename the column" in err


def test_answers_in_a_column_text_are_called_original(capsys, tmp_path, scores):
    cal, source = tmp_path / "cal.json", tmp_path / "answers.csv"
    run(capsys, "fit", str(scores), "--out", str(cal))
    source.write_text("id,text,confidence\n7,It is Paris.,0.4\n")
    command = ["rewrite", str(source), "--calibrator", str(cal), "--column"]
    code, out, _ = run(capsys, *command, "text")
    assert (code, out.splitlines()[0]) == (
        0,
        "id,original,confidence,text,hedge,target,read,calibrated,reason",
    )
    assert out.splitlines()[1].startswith("7,It is Paris.,0.4,")
    assert "has 'text', which the output would overwrite" in run(capsys, *command, "answer")[2]
    source.write_text("original,text,confidence\nmine,It is Paris.,0.4\n")
    assert "has 'original', which the output would overwrite" in run(capsys, *command, "text")[2]


@pytest.mark.parametrize("line", ['{"answer": "It is Paris.", "confidence": true}', '{"confidence": 0.4}'])
def test_where_no_row_can_be_rewritten_nothing_is_done(capsys, tmp_path, scores, line):
    cal, source, out = tmp_path / "cal.json", tmp_path / "answers.jsonl", tmp_path / "out.jsonl"
    run(capsys, "fit", str(scores), "--out", str(cal))
    source.write_text(f'{line}\n{{"answer": 1, "confidence": 0.2}}\n')
    code, _, err = run(capsys, "rewrite", str(source), "--calibrator", str(cal), "--out", str(out))
    assert (code, out.exists()) == (1, False)
    assert "answers.jsonl, line 1: " in err
    assert "no row can be used" in err


def test_an_answer_without_a_score_passes_as_it_is(capsys, tmp_path, scores):
    cal, source = tmp_path / "cal.json", tmp_path / "answers.csv"
    run(capsys, "fit", str(scores), "--out", str(cal))
    source.write_text("answer,confidence\nIt is Paris.,\nIt is Rome.,0.4\n")
    code, out, _ = run(capsys, "rewrite", str(source), "--calibrator", str(cal))
    assert code == 0
    assert "It is Paris.,,It is Paris.,,," in out
    assert "no confidence came" in out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("answer,correct\n", "in.csv: holds no row"),
        ("answer,right\nParis,1\n", "no column 'correct'; there are answer, right"),
        ("text,correct\nParis,1\n", "no column confidence, samples or answer"),
        (",text,correct\n0,Paris,1\n", "samples or answer; there are text, correct"),
        (
            "confidence,correct\nhigh,1\n",
            "in.csv, line 2: confidence is no number: 'high' .no row can be used",
        ),
        (",,\n,,\n", "in.csv, line 1: holds separators alone"),
        (
            'samples,token_logprobs,correct\n"[""a""]",[[-Infinity]],1\n',
            "no list of lists of log-probabilities",
        ),
        (
            "confidence,correct\n1\n",
            "in.csv, line 2: 1 cells where the header has 2: 1; .* .no row can be used",
        ),
        ("confidence,confidence\n1,1\n", "in.csv, line 1, column 'confidence': stands 2 times"),
        ('answer,correct\n"Paris,1\nRome,0\n', "in.csv, line 2: a quote is opened and not closed"),
        ("", "in.csv: is empty"),
    ],
)
def test_a_file_that_cannot_be_fitted_is_refused(capsys, tmp_path, text, message):
    import re

    source = tmp_path / "in.csv"
    source.write_text(text)
    code, _, err = run(capsys, "fit", str(source), "--out", str(tmp_path / "cal.json"))
    assert code == 1
    assert re.search(message, err)
    assert not (tmp_path / "cal.json").exists()


@pytest.mark.parametrize("graded", [[1] * 30, [1, 0], [1] * 20 + [0]])
def test_nothing_is_saved_where_nothing_can_be_held_out(capsys, tmp_path, graded):
    source, cal = tmp_path / "in.csv", tmp_path / "cal.json"
    rows.save([{"confidence": 0.5 + i / 100, "correct": one} for i, one in enumerate(graded)], str(source))
    code, _, err = run(capsys, "fit", str(source), "--out", str(cal))
    assert code == 1
    assert "nothing can be held out; at least 10 right and 10 wrong ones are needed" in err
    assert not cal.exists()


def test_per_cent_are_recognised_and_named(capsys, tmp_path):
    source, cal = tmp_path / "in.csv", tmp_path / "cal.json"
    told = [{"confidence": i % 100, "correct": i % 2} for i in range(200)]
    rows.save(told, str(source))
    code, _, err = run(capsys, "fit", str(source), "--out", str(cal))
    assert code == 1
    assert "confidence goes from 0 to 100, as it seems: divide it by 100" in err
    with pytest.raises(ValueError, match="these look like per cent: divide by 100"):
        WordCalibrator().fit([85, 90, 40], [1, 1, 0])


@pytest.mark.parametrize(
    ("score", "remark"),
    [
        (lambda right, i: 0.5, "hardly varies"),
        (lambda right, i: 0.8 - 0.5 * right + i / 1000, "the wrong way round?"),
    ],
)
def test_a_score_that_is_worth_nothing_is_said_at_fit_and_at_every_use(capsys, tmp_path, score, remark):
    source, cal = tmp_path / "in.csv", tmp_path / "cal.json"
    told = [
        {"answer": "It is Lima.", "confidence": score(i % 3 > 0, i), "correct": int(i % 3 > 0)}
        for i in range(90)
    ]
    rows.save(told, str(source))
    code, out, err = run(capsys, "fit", str(source), "--out", str(cal))
    assert code == 0
    assert remark in err
    assert "no promise" in out
    for _ in range(2):
        err = run(capsys, "rewrite", str(source), "--calibrator", str(cal))[2]
        assert f"ralc: {cal} promises nothing: " in err
    with pytest.warns(UserWarning, match=remark.rstrip("?")):
        WordCalibrator().fit([row["confidence"] for row in told], [row["correct"] for row in told])


def test_a_calibrator_that_is_none_is_refused(capsys, tmp_path):
    (tmp_path / "x.json").write_text("{}")
    assert "not a calibrator" in run(capsys, "card", str(tmp_path / "x.json"))[2]


@pytest.mark.parametrize(
    ("value", "expected"), [("1", 1), (True, 1), ("no", 0), (0, 0), (1.0, 1), (" True ", 1)]
)
def test_outcomes(value, expected):
    assert cells.outcome({"correct": value}, "correct") == expected


@pytest.mark.parametrize("value", ["", None, "maybe", 2, 0.5, []])
def test_what_is_no_outcome(value):
    with pytest.raises(ValueError, match="neither 1 nor 0"):
        cells.outcome({"correct": value}, "correct")


@pytest.mark.parametrize("value", ["1,000", "1,", ",5", "0,2,5"])
def test_a_comma_that_may_part_thousands_is_no_decimal_comma(value):
    with pytest.raises(ValueError, match="p is no number"):
        cells.probability({"p": value}, "p")


def test_a_decimal_comma_is_read():
    assert [cells.probability({"p": value}, "p") for value in ("0,25", "1,0", "0,000")] == [0.25, 1.0, 0.0]


def test_no_command_writes_over_what_it_reads(capsys, tmp_path, scores):
    own, cal = tmp_path / "own.csv", tmp_path / "cal.json"
    own.write_bytes(scores.read_bytes())
    run(capsys, "fit", str(own), "--out", str(cal))
    before = own.read_bytes(), cal.read_bytes()
    for out, command in (
        (own, ["fit"]),
        (own, ["rewrite", "--calibrator", str(cal)]),
        (cal, ["rewrite", "--calibrator", str(cal)]),
        (own, ["read", "--column", "answer"]),
    ):
        code, _, said = run(capsys, command[0], str(own), *command[1:], "--out", str(out))
        assert code == 1
        assert "write to another file" in said
    assert (own.read_bytes(), cal.read_bytes()) == before
