"""The command ``ralc``: a table of files, arguments, exit codes and expected lines; then several commands."""

import io
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import ralc
from ralc import WordCalibrator, evaluators
from ralc.calibrator import SamplingDesign
from ralc.cli import tables
from tests.cases import cases
from tests.commands import exit_code, run

DATA = Path(__file__).parent / "data"
PAGE = "# Rome\r\n\r\nNaïve 𝔘 is a letter. It is perhaps\r\nold, and Rome is **large**.\r\n"
SUMMED = "It is old. I think that the rest is right. It is large."
WORDS = [{"answer": ["Certainly Oslo.", "Perhaps Rome."][i % 2], "correct": i % 2} for i in range(40)]


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """A folder with scores, words, and calibrators of them."""
    folder = tmp_path_factory.mktemp("fitted")
    rng = np.random.default_rng(4)
    confidence = rng.random(150).round(3)
    correct = (rng.random(150) < confidence).astype(int)
    told = zip(confidence.tolist(), correct.tolist(), strict=True)
    scores = [
        {"answer": f"The answer is item {i}.", "confidence": c, "correct": y} for i, (c, y) in enumerate(told)
    ]
    tables.save(scores, str(folder / "scores.csv"))
    tables.save(WORDS, str(folder / "words.csv"))
    for name in ("scores", "words"):
        exit_code(f"fit {folder}/{name}.csv --out {folder}/{name}.json")
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch, fitted):
    """A folder in which the command runs."""
    monkeypatch.chdir(tmp_path)
    for name in ("scores.csv", "scores.json", "words.json"):
        (tmp_path / name).write_bytes((fitted / name).read_bytes())
    (tmp_path / "page.md").write_bytes(PAGE.encode())
    (tmp_path / "german.md").write_text("Das ist nicht die Hauptstadt, glaube ich.\n")
    (tmp_path / "good.csv").write_text('text\nPerhaps Oslo.\n"Certainly,\nRome."\n')
    (tmp_path / "bad.jsonl").write_text('{"text": "Perhaps Oslo."}\n{"text": ""}\n')
    return tmp_path


@cases
def test_a_command_line(capsys, folder, content, arguments, code, out, err):
    arguments = arguments.split() if isinstance(arguments, str) else arguments
    (folder / ("in.jsonl" if "in.jsonl" in arguments else "in.csv")).write_text(content)
    found, said, told = run(capsys, *arguments)
    assert found == code, said + told
    assert out in said
    assert err in " ".join(told.split()) + "\n"
    assert bool(said) == (code in (0, 3) or bool(out)) or "--at" in " ".join(arguments)
    if code in (1, 2) and arguments[0] in ("fit", "rewrite"):
        assert not (folder / "cal.json").exists()


def test_the_version_is_the_package_s(capsys):
    assert run(capsys, "--version")[1] == f"ralc {ralc.__version__}\n"


def test_a_text_is_read_with_its_cues_in_their_places(capsys):
    text = "I can’t be sure — probably Paris."
    for whole in (text, f"<think>Perhaps.</think>{text}"):
        reading = json.loads(run(capsys, "read", whole, "--json")[1])
        assert reading["mean"] == round(float(evaluators.load("cue_model").read([text]).mean[0]), 3)
        assert [whole[cue["start"] : cue["end"]] for cue in reading["cues"]] == ["can’t be sure", "probably"]


def test_each_sentence_is_read_too(capsys, folder):
    reading = json.loads(run(capsys, "read", SUMMED, "--sentences", "--json")[1])
    assert [SUMMED[one["start"] : one["end"]] for one in reading["sentences"]][2] == "It is large."
    assert [one["kind"] for one in reading["sentences"]] == ["claim", "hedge", "claim"]
    (folder / "in.csv").write_text(f"text\n{SUMMED}\n")
    run(capsys, "read in.csv --sentences --out out.csv")
    (row,) = tables.load("out.csv").rows
    assert json.loads(row.cells["sentences"]) == reading["sentences"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_files_of_each_format(capsys, folder, ending):
    texts = ['She said "Oslo",\nperhaps.', "Certainly Rome."]
    tables.save([{"id": str(i), "text": text} for i, text in enumerate(texts)], f"in.{ending}")
    assert run(capsys, f"read in.{ending} --out out.{ending}")[0] == 0
    read = [row.cells for row in tables.load(f"out.{ending}").rows]
    assert [row["text"] for row in read] == texts
    assert float(read[0]["mean"]) < float(read[1]["mean"])
    samples = [{"samples": ["Paris", "Paris.", "Rome"][: 1 + i % 3], "correct": i % 2} for i in range(40)]
    tables.save(samples, f"samples.{ending}")
    assert run(capsys, f"fit samples.{ending} --out cal.json")[0] == 0
    code, out, _ = run(capsys, f"rewrite samples.{ending} --calibrator cal.json")
    assert code == 0
    assert "Paris" in out


def test_no_text_of_a_csv_is_a_formula_and_numbers_stay_numbers(capsys, folder):
    (folder / "in.jsonl").write_text(
        '{"text": "=1+1, perhaps", "by": "@me", "degrees": -4.5, "as_text": "-4.5e3"}\n'
    )
    assert run(capsys, "read in.jsonl --out out.csv")[0] == 0
    assert "\"'=1+1, perhaps\",'@me,-4.5,-4.5e3," in (folder / "out.csv").read_text()


def test_faulty_rows_are_named_and_kept_apart(capsys, folder):
    (folder / "in.jsonl").write_text('{"text": "Perhaps."}\n{"text": 3}\n{"text": ""}\n{"text": "Surely."}\n')
    code, out, err = run(capsys, "read in.jsonl")
    assert code == 3
    assert [json.loads(line)["text"] for line in out.splitlines()] == ["Perhaps.", "Surely."]
    assert "line 2: text is no text: 3" in err
    assert "line 3: text cannot be read: it is empty" in err


@pytest.mark.parametrize(
    "content", ["\ufefftext\nSurely.\n", 'id,"text"\n1,Surely.\n', '{"text": "Surely."}\n']
)
def test_standard_input_is_csv_or_json_lines(capsys, monkeypatch, content):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
    code, out, _ = run(capsys, "read - --json")
    assert code == 0
    assert [json.loads(line)["text"] for line in out.splitlines()] == ["Surely."]


def test_a_missing_extra_is_named(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "ralc.serve.application", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    code, out, err = run(capsys, "serve --calibrator x --upstream x")
    assert code == 2
    assert out == ""
    assert err == "ralc: uvicorn is not installed: pip install 'pyralc[serve]'\n"

    def missing(*_, **__):
        raise ModuleNotFoundError("No module named 'spacy'", name="spacy")

    monkeypatch.setattr("ralc.cli.read.read_texts", missing)
    code, _, err = run(capsys, "read Certainly. --sentences")
    assert code == 2
    assert "pip install 'pyralc[parser]'" in err


def test_left_out_rows_are_counted_on_the_card(capsys, folder):
    with (folder / "scores.csv").open("a") as file:
        file.write("x,high,1\ny,0.5,perhaps\nz,0.5,\n")
    code, _, err = run(capsys, "fit scores.csv --out cal.json")
    assert code == 3
    assert "rows done: 150; bad: 3" in err
    assert json.loads((folder / "cal.json").read_text())["card"]["left_out"] == 3


def test_the_answers_may_stand_in_a_column_that_is_named(capsys, folder):
    tables.save([{"reply": row["answer"], "correct": row["correct"]} for row in WORDS], "in.csv")
    code, _, err = run(capsys, "fit in.csv --out cal.json --column reply")
    assert code == 0
    assert "the words of the answers are read" in err
    tables.save([{"reply": row["answer"], "confidence": 0.5} for row in WORDS], "in.csv")
    for calibrator in ("scores.json", "words.json"):
        code, out, _ = run(capsys, "rewrite in.csv --calibrator", calibrator, "--column", "reply")
        assert code == 0
        assert "Oslo" in out


@pytest.mark.parametrize(
    ("score", "remark"),
    [
        (lambda right, i: 0.5, "rests mostly on what such signals are usually worth: 90 answers"),
        (lambda right, i: 0.8 - 0.5 * right + i / 1000, "the wrong way round?"),
    ],
)
def test_a_score_that_is_worth_nothing_is_said_at_fit_and_at_every_use(capsys, folder, score, remark):
    made = [
        {"answer": "It is Lima.", "confidence": score(i % 3 > 0, i), "correct": int(i % 3 > 0)}
        for i in range(90)
    ]
    tables.save(made, "in.csv")
    code, out, err = run(capsys, "fit in.csv --out cal.json")
    assert code == 0
    assert remark in err
    assert "no promise" in out
    assert "ralc: cal.json promises nothing: " in run(capsys, "rewrite in.csv --calibrator cal.json")[2]


# ---- samples


def test_token_logprobs_are_used_where_there_are_any(capsys, folder):
    logprobs = [[[-0.1 - i / 50], [-2.0]] for i in range(40)]
    made = [
        {"samples": ["Paris", "Rome"], "token_logprobs": own, "correct": i < 20}
        for i, own in enumerate(logprobs)
    ]
    tables.save(made, "in.jsonl")
    assert run(capsys, "fit in.jsonl --out cal.json")[0] == 0
    assert WordCalibrator.load("cal.json").signal_ == "token_probability"
    assert run(capsys, "rewrite in.jsonl --calibrator cal.json")[0] == 0
    alone = [
        {"samples": ["Paris"], "token_logprobs": own[:1], "correct": i < 20} for i, own in enumerate(logprobs)
    ]
    tables.save(alone, "in.jsonl")
    assert run(capsys, "fit in.jsonl --out cal.json --signal perplexity")[0] == 0
    out = run(capsys, "rewrite in.jsonl --calibrator cal.json")[1]
    read = [json.loads(line)["target"] for line in out.splitlines()]
    assert read == sorted(read, reverse=True)


def test_samples_go_before_a_confidence_for_a_calibrator_of_samples(capsys, folder):
    made = [
        {"samples": ["Paris", "Rome", "Oslo"][: 1 + i % 3], "correct": int(i % 3 == 0)} for i in range(60)
    ]
    tables.save(made, "in.jsonl")
    run(capsys, "fit in.jsonl --out cal.json")
    asked = [row | {"answer": "It is Paris.", "confidence": 0.9} for row in made[:3]]
    targets = []
    for left_out, expected in (("answer", 0), ("confidence", 0), ("samples", 2)):
        tables.save([{key: row[key] for key in row if key != left_out} for row in asked], "in.jsonl")
        code, out, err = run(capsys, "rewrite in.jsonl --calibrator cal.json")
        assert code == expected
        assert ("no column 'samples'" in err) == bool(expected)
        targets.append([json.loads(line)["target"] for line in out.splitlines()])
    assert targets[0] == targets[1] != []


def test_samples_that_were_asked_for_otherwise_are_refused(capsys, folder):
    asked = [["Paris", "Rome"] * 5, ["Paris", *["Rome"] * 9]] * 20
    tables.save([{"samples": one, "correct": at % 2} for at, one in enumerate(asked)], "in.jsonl")
    run(capsys, "fit in.jsonl --out cal.json --temperature 0.7")
    drawn = "semantic_uncertainty (10 answers a question, at temperature 0.7)"
    assert drawn in run(capsys, "card cal.json")[1]
    tables.save([{"samples": asked[0]}, {"samples": ["Paris"] * 3}], "in.jsonl")
    code, out, err = run(capsys, "rewrite in.jsonl --calibrator cal.json")
    assert code == 3
    assert len(out.splitlines()) == 1
    assert (
        "line 2: samples: the calibrator was fitted on 10 answers a question, at temperature 0.7, not on 3"
        in err
    )


def test_of_samples_the_words_of_their_majority_are_read(capsys, folder):
    calibrator = WordCalibrator("linguistic_confidence")
    confidence = calibrator.read(["Certainly Oslo.", "Perhaps Rome."] * 20)
    calibrator.fit(confidence, [1, 0] * 20, design=SamplingDesign.of([3] * 40)).save("cal.json")
    for samples, code, said in (
        (["Perhaps Lima.", "Certainly Oslo.", "It is Oslo."], 0, "Oslo"),
        (["Certainly Oslo."], 2, "fitted on 3 answers a question, not on 1"),
    ):
        tables.save([{"samples": samples}], "in.jsonl")
        found, out, err = run(capsys, "rewrite in.jsonl --calibrator cal.json")
        assert found == code
        assert said in out + err


@pytest.fixture
def graded(folder):
    """What `ralc import` writes of twenty questions, four answers each: every third lacks log-probabilities."""
    source = DATA / "four_answers.jsonl"
    shutil.copy(source, "samples.jsonl")
    return [json.loads(line) for line in source.read_text().splitlines()]


def test_what_import_writes_is_fitted_and_rewritten_as_it_is(capsys, graded):
    assert run(capsys, "fit samples.jsonl --out cal.json")[0] == 0
    calibrator = WordCalibrator.load("cal.json")
    assert calibrator.signal_ == "token_probability"
    assert calibrator.n_answers_ == 20
    assert calibrator.base_rate_ == 0.75
    code, out, _ = run(capsys, "rewrite samples.jsonl --calibrator cal.json")
    assert code == 0
    assert all("Bob" in json.loads(line)["text"] for line in out.splitlines())


def test_samples_that_do_not_say_which_is_right_are_faulty_rows(capsys, graded):
    changes = [
        {"correct": [0, 1, 1]},
        {"correct": [0, None, 1, 1]},
        {"token_logprobs": [[-1.0], None, None, None]},
    ]
    tables.save([*graded, *(graded[1] | change for change in changes)], "samples.jsonl")
    code, _, err = run(capsys, "fit samples.jsonl --out cal.json")
    assert code == 3
    assert "line 21: correct = [0, 1, 1] is neither 1 nor 0" in err
    assert "line 22: correct = None is neither 1 nor 0" in err
    assert "line 23: signal token_probability needs token_logprobs: 'Bob'" in err


def test_other_texts_in_a_column_answers_are_no_samples(capsys, folder):
    tables.save([row | {"answers": ["Rome", "Lima", "Oslo"]} for row in WORDS], "in.jsonl")
    assert run(capsys, "fit in.jsonl --out cal.json")[0] == 0
    assert WordCalibrator.load("cal.json").signal_ == "linguistic_confidence"
    tables.save([{"answers": [row["answer"]], "correct": [row["correct"]]} for row in WORDS], "in.jsonl")
    assert run(capsys, "fit in.jsonl --out cal.json")[0] == 0
    assert WordCalibrator.load("cal.json").signal_ == "linguistic_confidence"


# ---- reasoning


@pytest.mark.parametrize("tags", ["<think>|</think>", "|</think>", "<thinking>|</thinking>", "|[/THINK]"])
def test_reasoning_is_no_part_of_samples_and_answers(capsys, folder, tags):
    before, after = tags.split("|")
    said = [["Paris", "Paris.", "It is Paris."], ["Paris", "Rome", "Oslo"]]
    rows = [{"samples": said[i % 2], "correct": 1 - i % 2} for i in range(40)]
    thoughts = [f"{before}Rome? Number {place}.{after}\n" for place in range(3)]
    loud = [
        row | {"samples": [thought + one for thought, one in zip(thoughts, row["samples"], strict=True)]}
        for row in rows
    ]
    told = []
    for table in (rows, loud):
        tables.save(table, "in.jsonl")
        run(capsys, "fit in.jsonl --out cal.json")
        out = run(capsys, "rewrite in.jsonl --calibrator cal.json")[1]
        told.append([(row["text"], row["target"]) for row in map(json.loads, out.splitlines())])
    assert told[0] == told[1]
    tables.save(
        [{"answer": thoughts[0] + row["answer"], "correct": row["correct"]} for row in WORDS], "in.csv"
    )
    assert run(capsys, "fit in.csv --out loud.json")[0] == 0
    loud, plain = (json.loads((folder / name).read_text()) for name in ("loud.json", "words.json"))
    assert loud["calibration"] == plain["calibration"]


def test_a_file_without_prose_stops_no_other(capsys, tmp_path):
    for name, text in (("a.md", "{}"), ("b.md", "It is Paris.")):
        (tmp_path / name).write_text(text)
    code, out, _ = run(capsys, "read", *map(str, tmp_path.glob("*.md")), "--at-most", "0.8")
    assert code == 3
    assert "b.md: 0.95" in out


def test_several_processes_write_the_same_bytes(capsys, folder):
    rows = [{"answer": f"Lake {i} is in Peru.", "confidence": (i % 97) / 97} for i in range(150)]
    tables.save(rows, "many.csv")
    one, two = (run(capsys, f"rewrite many.csv --calibrator scores.json --jobs {jobs}") for jobs in (1, 2))
    assert one[0] == 0
    assert one == two
