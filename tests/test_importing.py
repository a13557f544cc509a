"""What other tools save, in tiny files of their formats, becomes rows that can be read."""

import io
import json
import re
import sys
import types
from pathlib import Path
from typing import ClassVar

import pandas as pd
import pytest

from ralc import importing
from ralc.cli.app import main
from ralc.names import CORRECT, INCORRECT
from ralc.recorded import read
from tests.imported import CHAD, DATA, PERU, files_of, made_by, rows_of

TABLES = {
    "a.csv": """Question,Accepted answers,Model answers,Temperature
What is the capital of Peru?,Lima | Ciudad de los Reyes,"[""Lima"", ""Cusco""]",1
What is the capital of Chad?,N'Djamena,"['Abéché', ""N'Djamena""]",1
""",
    "an_answer_a_row.csv": """id;question;answer;response;model
7;What is the capital of Peru?;Lima|Ciudad de los Reyes;Lima;gpt
8;What is the capital of Chad?;N'Djamena;Abéché;gpt
7;What is the capital of Peru?;Lima|Ciudad de los Reyes;Cusco;gpt
8;What is the capital of Chad?;N'Djamena;N'Djamena;gpt
""",
    "a.jsonl": """{"query": "What is the capital of Peru?", "gold": ["Lima", "Ciudad de los Reyes"], \
"answers": ["Lima", "Cusco"]}

{"query": "What is the capital of Chad?", "gold": "N'Djamena", "answers": ["Abéché", "N'Djamena"]}
""",
}


@pytest.mark.parametrize("name", [*TABLES, "a.parquet"])
def test_a_table_of_questions_and_answers_is_both(tmp_path, capsys, name):
    if name == "a.parquet":
        pd.read_json(io.StringIO(TABLES["a.jsonl"]), lines=True).assign(
            gold=[["Lima", "Ciudad de los Reyes"], ["N'Djamena"]]
        ).to_parquet(tmp_path / name)
    else:
        (tmp_path / name).write_text(TABLES[name])
    rows, questions = made_by(tmp_path, "table", tmp_path / name)
    assert [row.answers for row in rows] == [("Lima", "Cusco"), ("Abéché", "N'Djamena")]
    assert questions["question"].tolist() == [PERU, CHAD]
    assert questions["accepted"].tolist() == [["Lima", "Ciudad de los Reyes"], ["N'Djamena"]]
    said = capsys.readouterr()
    assert "samples.jsonl: 2 rows" in said.out
    if name == "a.csv":
        assert (
            "columns: question is 'Question', answers is 'Model answers', accepted is 'Accepted answers'; left out: "
            "'Temperature'" in said.err
        )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Question,Answer\nQ,a\n", ": says of no question what is accepted"),
        ("Question,Answer,Output\n,a,b\nR,,b\nS,a,\n", ", line 2, column 'question': is missing"),
        ("question,gold,output,model\nQ,a,b,x\nQ,a,c,y\n", ": holds answers of 2 models (x, y)"),
        (
            "id,question,gold,output\n1,Q,a,b\n1,R,a,c\n",
            ", line 3, column 'question': 'R' differs from 'Q' in",
        ),
        (
            "question,gold,output\nQ,a,\"['b' 'c']\"\n",
            ", line 2, column 'answers': begins like a",
        ),
        ("question,gold\nQ,a\nR,b\n", ", line 3, column 'answers': is missing"),
        ("question,gold,output\nQ,a,b,c\nR,b\n", ", line 3: 2 cells where the header has 3"),
    ],
)
def test_what_a_table_lacks_is_named(tmp_path, capsys, text, told):
    (tmp_path / "a.csv").write_text(text)
    arguments = [f"--{name}={tmp_path / name}.jsonl" for name in ("samples", "questions")]
    with pytest.raises(SystemExit) as left:
        main(["import", "table", str(tmp_path / "a.csv"), *arguments])
    assert left.value.code == 1
    assert f"a.csv{told}" in capsys.readouterr().err


def test_an_option_of_another_format_is_refused(tmp_path):
    with pytest.raises(ValueError, match="--correct is for lm_eval, inspect_ai, not for table"):
        importing.read("table", "a.csv", correct="acc")


def test_uqlm_as_json_and_as_a_table():
    rows = rows_of("uqlm", DATA / "uqlm.json")
    assert [row["answers"] for row in rows] == [
        ["Lima", "Lima", "Lima, Peru"],
        ["N'Djamena", "Paris", "N'Djamena"],
    ]
    assert rows[0]["token_logprobs"] == [[-0.1, -0.02], [-0.2], [-0.3, -1.5]]
    table = rows_of("uqlm", DATA / "uqlm.csv")
    assert [(row["question"], row["answers"]) for row in table] == [
        (row["question"], row["answers"]) for row in rows
    ]


def test_what_lm_polygraph_saved_is_exported_where_it_was_saved(tmp_path, monkeypatch):
    """Its files are pickles, which run what stands in them: the page has a few lines for its own environment."""

    class UEManager:
        stats: ClassVar = {
            "input_texts": [PERU, CHAD],
            "sample_texts": [["Lima", "It is Lima"], ["Paris", "N'Djamena"]],
            "sample_log_likelihoods": [[[-0.1], [-0.1, -0.5]], [[-0.3], [-0.2]]],
        }

        @staticmethod
        def load(path):
            return UEManager()

    page = (DATA.parents[2] / "docs/imports.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (lines,) = [block for block in blocks if "lm_polygraph" in block]
    manager = types.ModuleType("lm_polygraph.utils.manager")
    manager.UEManager = UEManager
    for name in ("lm_polygraph", "lm_polygraph.utils"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, manager.__name__, manager)
    monkeypatch.chdir(tmp_path)
    exec(compile(lines, "imports.md", "exec"), {})
    rows = read(tmp_path / "samples.jsonl").rows
    assert [row.answers for row in rows] == [("Lima", "It is Lima"), ("Paris", "N'Djamena")]
    assert json.loads((tmp_path / "samples.jsonl").read_text().splitlines()[0])["token_logprobs"] == [
        [-0.1],
        [-0.1, -0.5],
    ]


@pytest.mark.parametrize("name", ["uqlm.json", "batch_output.jsonl"])
def test_every_conversion_can_be_read(tmp_path, name):
    form = {"uqlm.json": "uqlm", "batch_output.jsonl": "batch"}[name]
    importing.write(rows_of(form, DATA / name), tmp_path / "samples.jsonl")
    assert len(read(tmp_path / "samples.jsonl").rows) == 2


def test_the_commands_of_the_readme(tmp_path, capsys):
    source = str(DATA / "dlm_uncertainty_llada.csv")
    files = [str(tmp_path / name) for name in ("samples.jsonl", "questions.jsonl")]
    main_ = ["import", "dlm_uncertainty", source, "--samples", files[0], "--questions", files[1]]
    with pytest.raises(SystemExit) as left:
        main(main_)
    assert left.value.code == 0
    said = capsys.readouterr()
    assert "10 rows" in said.out
    assert "99 of 99 answers are exactly 0: placeholders, all left out" in said.err
    assert "token_logprobs" not in Path(files[0]).read_text()


def test_a_metric_is_the_outcome(tmp_path, capsys):
    samples = tmp_path / "samples.jsonl"
    source = DATA / "samples_gsm8k_lm_eval.jsonl"
    command = ["import", "lm_eval", str(source), "--samples", str(samples), "--correct"]
    with pytest.raises(SystemExit) as left:
        main([*command, "exact_match"])
    assert left.value.code == 0
    assert {grade for row in read(samples).rows for grade in row.grades} == {CORRECT, INCORRECT}
    with pytest.raises(SystemExit) as left:
        main([*command, "none"])
    assert left.value.code == 1
    assert re.search(r"column .*'none'\)?: is missing", capsys.readouterr().err)


@pytest.mark.parametrize("name", ["llama", "llada"])
def test_dlm_uncertainty(tmp_path, capsys, name):
    source = files_of(name)
    found = importing.read("dlm_uncertainty", source)
    rows, asked = importing.samples(found, source), importing.questions(found, source)
    importing.write(rows, tmp_path / "s.jsonl")
    found = read(tmp_path / "s.jsonl")
    size = 100 if "shared" in str(source) or len(rows) == 100 else 10
    assert len(rows) == len(asked) == size
    for row, question in zip(rows, asked, strict=True):
        right = question["choices"][question["correct_choice"]]
        assert [answer == right for answer in row["answers"]] == [bool(one) for one in row["correct"]]
    if size == 100:
        lost = {
            "llama": "18 of 1000 answers lack token_logprobs",
            "llada": "token_logprobs of 983 of 983 answers are exactly 0: placeholders, all left out, and with them "
            "the signal token_probability",
        }
        assert lost[name] in (found.notes[0], capsys.readouterr().err.removeprefix(f"{source}: ").strip())


@pytest.mark.parametrize("unit", ["\nA. \nB. \nC. ", "\nA. x\nB. "])
def test_what_is_no_question_of_mmlu_is_seen_at_once(tmp_path, unit):
    path = tmp_path / "x.csv"
    path.write_text(f'question,answer_key\n"Question: {unit * 5_000}",A\n')
    with pytest.raises(ValueError, match=r"line 2, column 'question': no question with the choices A to D"):
        rows_of("dlm_uncertainty", path)


def test_wang2025(tmp_path):
    source = files_of("wang2025")
    found = importing.read("wang2025", source)
    rows, asked = importing.samples(found, source), importing.questions(found, source)
    assert len(rows) == len(asked)
    assert not any(row["answers"][0].endswith((".)", '")')) for row in rows)
    if len(rows) == 817:
        assert sum(row["correct"][0] for row in rows) / 817 == pytest.approx(0.315789, abs=1e-6)


@pytest.mark.parametrize(("samples", "questions"), [("own.jsonl", "q.jsonl"), ("s.jsonl", "./s.jsonl")])
def test_no_file_is_written_over_that_is_read_or_written(tmp_path, monkeypatch, capsys, samples, questions):
    monkeypatch.chdir(tmp_path)
    own = json.dumps({"question": PERU, "accepted": ["Lima"], "response": "Lima"})
    Path("own.jsonl").write_text(own)
    with pytest.raises(SystemExit) as left:
        main(["import", "table", "own.jsonl", "--samples", samples, "--questions", questions])
    assert left.value.code == 1
    assert "write to another file" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["own.jsonl"]
    assert Path("own.jsonl").read_text() == own


def test_an_answer_that_may_be_the_right_one_is_hinted_at(tmp_path, capsys):
    path = tmp_path / "a.csv"
    path.write_text("Question,Answer,gpt-4o-mini\nQ,a,b\n")
    rows_of("table", path)
    assert (
        "left out: 'gpt-4o-mini' (a column named response has the model's answers" in capsys.readouterr().err
    )
    path.write_text("Question,Answer,response,mark\nQ,a,b,c\n")
    rows_of("table", path)
    assert capsys.readouterr().err.rstrip().endswith("left out: 'mark'")
