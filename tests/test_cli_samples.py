"""`ralc fit` and `ralc rewrite` on files of several answers a question, or of one and what its tokens tell."""

import json

import pytest

from ralc import WordCalibrator
from ralc.calibrator import Design
from ralc.cli import rows
from tests.test_cli_read import run


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_samples_of_each_format(capsys, tmp_path, ending):
    table = [
        {"question": "Where?", "samples": ["Paris", "Paris.", "Rome"][: 1 + i % 3], "correct": i % 2}
        for i in range(40)
    ]
    source, cal = tmp_path / f"in.{ending}", tmp_path / "cal.json"
    rows.save(table, str(source))
    assert run(capsys, "fit", str(source), "--out", str(cal))[0] == 0
    code, out, _ = run(capsys, "rewrite", str(source), "--calibrator", str(cal))
    assert code == 0
    assert "Paris" in out


def test_token_logprobs_are_used_where_there_are_any(capsys, tmp_path):
    source, cal = tmp_path / "in.jsonl", tmp_path / "cal.json"
    table = [
        {"samples": ["Paris", "Rome"], "token_logprobs": [[-0.1 - i / 50], [-2.0]], "correct": int(i < 20)}
        for i in range(40)
    ]
    rows.save(table, str(source))
    assert run(capsys, "fit", str(source), "--out", str(cal))[0] == 0
    assert WordCalibrator.load(cal).signal_ == "token_probability"
    assert run(capsys, "rewrite", str(source), "--calibrator", str(cal))[0] == 0


def test_one_answer_a_question_by_a_signal_that_is_named(capsys, tmp_path):
    source, cal = tmp_path / "in.jsonl", tmp_path / "cal.json"
    table = [
        {
            "samples": ["Paris"],
            "token_logprobs": [[-0.1 - i / 50, 0]],
            "confidence": 0.5,
            "correct": int(i < 20),
        }
        for i in range(40)
    ]
    rows.save(table, str(source))
    assert run(capsys, "fit", str(source), "--out", str(cal), "--signal", "perplexity")[0] == 0
    assert WordCalibrator.load(cal).signal_ == "perplexity"
    code, out, _ = run(capsys, "rewrite", str(source), "--calibrator", str(cal))
    read = [json.loads(line)["target"] for line in out.splitlines()]
    assert (code, read) == (0, sorted(read, reverse=True))
    assert read[0] > read[-1]
    for signal, said in {
        "entropy": "--signal entropy: not one of",
        "discrete_semantic_entropy": "discrete_semantic_entropy needs two answers",
    }.items():
        code, _, err = run(capsys, "fit", str(source), "--out", str(cal), "--signal", signal)
        assert (code, said in err) == (1, True)


def test_samples_go_before_a_confidence_for_a_calibrator_of_samples(capsys, tmp_path):
    source, cal = tmp_path / "in.jsonl", tmp_path / "cal.json"
    table = [
        {"samples": ["Paris", "Rome", "Oslo"][: 1 + i % 3], "correct": int(i % 3 == 0)} for i in range(60)
    ]
    rows.save(table, str(source))
    run(capsys, "fit", str(source), "--out", str(cal))
    asked = [row | {"answer": "It is Paris.", "confidence": 0.9} for row in table[:3]]
    rewritten = []
    for left_out in ("answer", "confidence"), (), ("samples",):
        rows.save([{key: row[key] for key in row if key not in left_out} for row in asked], str(source))
        code, out, err = run(capsys, "rewrite", str(source), "--calibrator", str(cal))
        assert code == 0
        assert ("confidence is taken as semantic_uncertainty" in err) == (left_out == ("samples",))
        rewritten.append([json.loads(line)["target"] for line in out.splitlines()])
    assert rewritten[0] == rewritten[1] != rewritten[2]


def test_samples_that_were_asked_for_otherwise_are_refused(capsys, tmp_path):
    source, cal = tmp_path / "in.jsonl", tmp_path / "cal.json"
    told = [["Paris", "Rome"] * 5, ["Paris", *["Rome"] * 9]] * 20
    rows.save([{"samples": one, "correct": at % 2} for at, one in enumerate(told)], str(source))
    run(capsys, "fit", str(source), "--out", str(cal))
    assert "semantic_uncertainty (10 answers a question)" in run(capsys, "card", str(cal))[1]
    settled = [{"samples": one[: 4 + 6 * (at % 3 == 0)]} for at, one in enumerate(told)]
    for table, seen in ([{"samples": ["Paris"] * 3}], "3"), (settled, "4 to 10"):
        rows.save(table, str(source))
        code, out, err = run(capsys, "rewrite", str(source), "--calibrator", str(cal))
        assert (code, out) == (1, "")
        assert f"fitted on 10 answers a question, not on {seen}" in err


def test_of_samples_the_words_of_their_majority_are_read(capsys, tmp_path):
    source, cal = tmp_path / "in.jsonl", tmp_path / "cal.json"
    calibrator = WordCalibrator("linguistic_confidence")
    confidence = calibrator.read(["Certainly Oslo.", "Perhaps Rome."] * 20)
    calibrator.fit(confidence, [1, 0] * 20, design=Design.of([3] * 40)).save(cal)
    rows.save([{"samples": ["Perhaps Lima.", "Certainly Oslo.", "It is Oslo."]}], str(source))
    code, out, _ = run(capsys, "rewrite", str(source), "--calibrator", str(cal))
    assert (code, "Oslo" in json.loads(out)["text"]) == (0, True)
    rows.save([{"samples": ["Certainly Oslo."]}], str(source))
    code, _, err = run(capsys, "rewrite", str(source), "--calibrator", str(cal))
    assert (code, "fitted on 3 answers a question, not on 1" in err) == (1, True)


@pytest.fixture
def imported(capsys, tmp_path):
    """What `ralc import` writes of twenty questions, four answers each: every third lacks log-probabilities."""
    source, samples = tmp_path / "result.csv", tmp_path / "samples.jsonl"
    table = [
        {
            "question": f"Question: Who won in {1900 + i}?\nA. Ann\nB. Bob\nC. Cid\nD. Dora\nAnswer:",
            "raw_response": repr(["A", "B", "B", "C"] if i % 2 else ["B"] * 4),
            "logprobs": json.dumps([None if i % 3 else -1.0, -0.1 - i / 50, -0.2, -2.0]),
            "answer_key": "B" if i % 4 else "A",
            "subject": "sport",
        }
        for i in range(20)
    ]
    rows.save(table, str(source))
    run(capsys, "import", "dlm_uncertainty", str(source), "--samples", str(samples))
    return samples


def test_what_import_writes_is_fitted_and_rewritten_as_it_is(capsys, tmp_path, imported):
    cal = tmp_path / "cal.json"
    assert run(capsys, "fit", str(imported), "--out", str(cal))[0] == 0
    calibrator = WordCalibrator.load(cal)
    assert (calibrator.signal_, calibrator.n_answers_) == ("token_probability", 20)
    assert calibrator.base_rate_ == 0.75  # Bob is most of the answers, and right in three of four
    code, out, _ = run(capsys, "rewrite", str(imported), "--calibrator", str(cal))
    assert code == 0
    assert all("Bob" in json.loads(line)["text"] for line in out.splitlines())


def test_texts_in_a_column_answers_are_no_samples(capsys, tmp_path, imported):
    source, cal, words = tmp_path / "in.csv", tmp_path / "cal.json", tmp_path / "words.json"
    run(capsys, "fit", str(imported), "--out", str(cal))
    table = [{"answers": ["Certainly Oslo.", "Perhaps Rome."][i % 2], "correct": i % 2} for i in range(40)]
    rows.save([row | {"confidence": 0.5} for row in table], str(source))
    command = ["rewrite", str(source), "--column", "answers", "--calibrator"]
    code, _, err = run(capsys, *command, str(cal))
    assert (code, "confidence is taken as token_probability" in err) == (0, True)
    rows.save(table, str(source))
    assert run(capsys, "fit", str(source), "--out", str(words), "--column", "answers")[0] == 0
    assert run(capsys, *command, str(words))[0] == 0


def test_accepted_answers_beside_the_answer_are_no_samples(capsys, tmp_path):
    source, cal = tmp_path / "in.jsonl", tmp_path / "cal.json"
    table = [
        {
            "answer": ["Certainly Oslo.", "Perhaps Rome."][i % 2],
            "answers": ["Rome", "Lima", "Oslo"],
            "correct": i % 2,
        }
        for i in range(40)
    ]
    rows.save(table, str(source))
    assert run(capsys, "fit", str(source), "--out", str(cal))[0] == 0
    assert WordCalibrator.load(cal).signal_ == "linguistic_confidence"
    assert "Rome" in run(capsys, "rewrite", str(source), "--calibrator", str(cal), "--json")[1]


def test_of_one_answer_a_question_the_words_are_read(capsys, tmp_path):
    source, cal = tmp_path / "samples.jsonl", tmp_path / "cal.json"
    table = [
        {"answers": [["Certainly Oslo.", "Perhaps Rome."][i % 2]], "correct": [i % 2]} for i in range(40)
    ]
    rows.save(table, str(source))
    assert run(capsys, "fit", str(source), "--out", str(cal))[0] == 0
    assert WordCalibrator.load(cal).signal_ == "linguistic_confidence"
    code, out, _ = run(capsys, "rewrite", str(source), "--calibrator", str(cal))
    assert (code, out.count("Oslo")) == (0, 40)  # the answer and the text of every other row


def test_samples_that_do_not_say_which_is_right_are_bad_rows(capsys, tmp_path, imported):
    good = rows.load(str(imported)).rows[0].cells
    changes = [
        {"correct": [0, 1, 1]},
        {"correct": [0, None, 1, 1]},
        {"token_logprobs": [[-1.0], None, None, None]},
    ]
    bad = [good | {"answers": ["Ann", "Bob", "Bob.", "Cid"]} | change for change in changes]
    rows.save([row.cells for row in rows.load(str(imported)).rows] + bad, str(imported))
    code, _, err = run(capsys, "fit", str(imported), "--out", str(tmp_path / "cal.json"))
    assert code == 3
    assert "line 21: correct = [0, 1, 1] is neither 1 nor 0" in err
    assert "line 22: correct of answer" in err
    assert "line 23: signal token_probability needs token_logprobs: 'Bob'" in err
