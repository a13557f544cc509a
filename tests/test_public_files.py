"""A second set of files in the shapes of public bug reports: each input as it is, and variants of each kind."""

import csv
import gzip
import io
import json
from pathlib import Path

import pandas as pd
import pytest

from ralc import WordCalibrator, datasets
from ralc.cli.app import main

DATA = Path(__file__).parent / "data" / "public_cases_2"
PERU, CHAD = "What is the capital of Peru?", "What is the capital of Chad?"


def run(*arguments):
    """The exit code of a command."""
    with pytest.raises(SystemExit) as left:
        main([str(one) for one in arguments])
    return left.value.code or 0


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def table(*rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def placed(folder, file):
    """A file of the set by its name, or one that is written here, of a name and a content."""
    if isinstance(file, str):
        return DATA / file
    name, content = file
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / name


def imported(folder, form, file, *options):
    """The exit code of `ralc import`, and the rows of samples and of questions that it wrote."""
    made = {kind: folder / f"made_{kind}.jsonl" for kind in ("samples", "questions")}
    options = [*options, *(f"--{kind}={path}" for kind, path in made.items())]
    code = run("import", form, placed(folder, file), *options)
    return code, *(read(path) if path.exists() else None for path in made.values())


# ---- a sample is a sample


def reply(text, name, question=PERU, **more):
    """A saved reply of a chat API."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    told = {"id": name, "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return {"question": question, "accepted": ["Lima"], "response": told | more}


def logged(doc_id, question, *answers, target="Lima", doc=None, **more):
    """A document that lm-evaluation-harness logged."""
    return {
        "doc_id": doc_id,
        "doc": {"question": question} | (doc or {}),
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": question or "Q: Who?", "arg_1": {}}},
        "resps": [list(answers)],
        "filtered_resps": [answers[0]],
        "filter": "none",
    } | more


def log(*samples, correct="match"):
    """A log of inspect_ai with samples of (id, epoch, answer, value), as it has them beside its reductions."""
    choice = [
        {"choices": [{"message": {"role": "assistant", "content": answer}}]} for _, _, answer, _ in samples
    ]
    rows = [
        {
            "id": name,
            "epoch": epoch,
            "input": PERU,
            "target": "Lima",
            "output": output,
            "scores": {correct: value},
        }
        for (name, epoch, _, value), output in zip(samples, choice, strict=True)
    ]
    reductions = [{"scorer": correct, "samples": []}]
    return json.dumps(
        {"version": 2, "status": "success", "eval": {}, "samples": rows, "reductions": reductions}
    )


def said(*answers):
    return [("1", at, answer, {"value": "C"}) for at, answer in enumerate(answers, 1)]


#: The format, the file, and how many answers each question has.
SAMPLES = {
    "reply ids of three digits": ("openai", "01_ids/ollama_three_digits.jsonl", [10] * 10),
    "one reply id for all": ("openai", "01_ids/kobold_constant_id.jsonl", [10] * 10),
    "a number of a session": (
        "openai",
        ("f.jsonl", lines(*[reply("Lima", str(at % 2), q) for at in range(4) for q in (PERU, CHAD)])),
        [4, 4],
    ),
    "one id for all, and the answer is one, too": (
        "openai",
        ("f.jsonl", lines(*[reply("Lima", "a", created=at) for at in range(4)])),
        [4],
    ),
    "one id for all, and the rows are the same": (
        "openai",
        ("f.jsonl", lines(*[reply("Lima", "a")] * 4)),
        [4],
    ),
    "replies with an id of the row": (
        "openai",
        ("f.jsonl", lines(*[reply("Lima", f"c-{at}") | {"id": at} for at in range(4)])),
        [4],
    ),
    "replies without an id": ("openai", ("f.jsonl", lines(*[reply("Lima", None)] * 3)), [3]),
    "a run a seed": ("lm_eval", "08_seeds/samples_all_seeds.jsonl", [10] * 10),
    "a run a seed, with repeats": (
        "lm_eval",
        ("f.jsonl", lines(*[logged(0, PERU, "Lima", one) for one in ("Lima", "Cusco", "Lima")])),
        [6],
    ),
    "two runs in one log": (
        "inspect_ai",
        ("f.json", log(*said("Lima", "Lima"), *said("Lima", "Cusco"))),
        [4],
    ),
    "tasks of a group": (
        "lm_eval",
        ("f.jsonl", lines(logged(0, PERU, "Lima"), logged(1, "Who?", "I"), logged(0, CHAD, "Sarh"))),
        [1, 1, 1],
    ),
    "tasks of a group that ask alike": (
        "lm_eval",
        ("f.jsonl", lines(*[logged(0, PERU, "A", target=0, doc={"choices": ["Lima", one]}) for one in "bc"])),
        [1, 1],
    ),
    "a row a trace": (
        "table",
        (
            "f.csv",
            table(*[{"id": at, "question": PERU, "gold": "Lima", "output": "Lima"} for at in range(5)]),
        ),
        [5],
    ),
    "errors with status 200": ("openai", "03_error_200/replies.jsonl", [1] * 10),
    "no choice": ("openai", ("f.jsonl", lines(reply("Lima", "1"), reply("", "2", choices=[]))), [1]),
    "a batch with its questions": ("openai", "06_batch/batch_output_with_question.jsonl", [5] * 9),
    "a frame of uqlm, with accepted answers": (
        "table",
        (
            "f.jsonl",
            lines(
                {"prompt": PERU, "response": "Lima", "sampled_responses": ["Lima", "Cusco"], "gold": "Lima"}
            ),
        ),
        [3],
    ),
}


@pytest.mark.parametrize("case", SAMPLES)
def test_each_sample_counts(case, tmp_path):
    form, file, counts = SAMPLES[case]
    code, samples, questions = imported(tmp_path, form, file)
    assert code == 0
    assert [len(row["answers"]) for row in samples] == counts
    named = [row.get("question_id", row["question"]) for row in questions]
    assert len(set(named)) == len(counts)
    assert named == [row.get("question_id", row["question"]) for row in samples]


def test_a_copy_of_a_sample_is_none(tmp_path, capsys):
    rows = [reply("Lima", "a"), reply("Lima", "b"), reply("Lima", "a")]
    _, (row,), _ = imported(tmp_path, "openai", ("f.jsonl", lines(*rows)))
    assert row["answers"] == ["Lima", "Lima"]
    assert "1 answers stand there twice, and count once" in capsys.readouterr().err


def test_the_answers_of_a_run_a_seed_are_those_that_were_drawn(tmp_path):
    _, samples, _ = imported(tmp_path, "lm_eval", "08_seeds/samples_all_seeds.jsonl", "--correct=exact_match")
    drawn = [
        json.loads(line) for line in (DATA / "08_seeds/samples_all_seeds.jsonl").read_text().splitlines()
    ]
    for row in samples:
        same = [one for one in drawn if str(one["doc_id"]) == row["question_id"]]
        assert row["answers"] == [one["resps"][0][0] for one in same]
        assert row["correct"] == [int(one["exact_match"]) for one in same]


# ---- what an answer is

CITED = [
    {"question": f"Q{at}", "gold": "Lima", "response": text}
    for at, text in enumerate(["[1] Lima", "[Lima](x)", "[[Lima]]"])
]
FRAME = [{"question": PERU, "gold": "Lima", "response": "['Lima', \"Cusco's\"]"}]
MESSAGES = {"messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": PERU}]}
#: The format, the file, and the first answers.
ANSWERS = {
    "citations": (
        "table",
        "12_brackets/citations.jsonl",
        [["[1] The capital is Lima."], ["[1] The capital is N'Djamena."]],
    ),
    "a mark of promptfoo": ("table", "12_brackets/promptfoo.csv", [["[FAIL] The capital is Cusco."]]),
    "a list in JSON as an answer": ("table", "12_brackets/json_list_answers.jsonl", [['["2", "4"]']]),
    "citations and links in a CSV": (
        "table",
        ("f.csv", table(*CITED)),
        [["[1] Lima"], ["[Lima](x)"], ["[[Lima]]"]],
    ),
    "a list in a CSV": ("table", ("f.csv", table(*FRAME)), [["Lima", "Cusco's"]]),
    "JSON of the model in a CSV": (
        "table",
        ("f.csv", table({"question": PERU, "gold": "Lima", "response": '{"capital": "Lima"}'})),
        [['{"capital": "Lima"}']],
    ),
    "a trace of Langfuse": ("table", "18_traces/langfuse.csv", [["The capital is Lima."]]),
    "the same with other names": ("table", "18_traces/langfuse_renamed.csv", [["The capital is Lima."]]),
    "items of Langfuse": (
        "table",
        (
            "f.csv",
            table(
                {
                    "id": 1,
                    "input": json.dumps({"question": PERU}),
                    "output": "Lima",
                    "expectedOutput": '{"a": "Lima"}',
                }
            ),
        ),
        [["Lima"]],
    ),
    "a run of LangSmith": ("table", "18_traces/langsmith.jsonl", [["The capital is Lima."]]),
    "messages in and out": (
        "table",
        (
            "f.jsonl",
            lines(
                {
                    "inputs": MESSAGES,
                    "outputs": {
                        "messages": [*MESSAGES["messages"], {"role": "assistant", "content": "Lima"}]
                    },
                    "reference_outputs": {"answer": "Lima"},
                }
            ),
        ),
        [["Lima"]],
    ),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_a_text_is_an_answer(case, tmp_path):
    form, file, answers = ANSWERS[case]
    code, samples, questions = imported(tmp_path, form, file)
    assert code == 0
    assert [row["answers"] for row in samples[: len(answers)]] == answers
    assert questions[0]["question"] in (
        PERU,
        "Q0",
        "Give the even numbers below 5 as a JSON array of strings.",
    )
    assert questions[0]["accepted"] in (["Lima"], ["x"])


def test_a_frame_of_uqlm_has_the_response_and_all_samples(tmp_path):
    run("import", "table", DATA / "19_uqlm/to_df.csv", f"--samples={tmp_path / 's.jsonl'}")
    rows = read(tmp_path / "s.jsonl")
    assert [len(row["answers"]) for row in rows] == [6] * 10
    assert rows[1]["answers"][:2] == ["The capital is N'Djamena.", "The capital is Sarh."]


# ---- batches

BODY = {
    "model": "m",
    "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": PERU}],
}


def result(name, text, **more):
    """A line of what a batch returned."""
    body = reply(text, f"chatcmpl-{name}")["response"]
    response = {"status_code": 200, "request_id": "r", "body": body}
    return {"id": f"batch_{name}", "custom_id": name, "response": response, "error": None} | more


def test_a_batch_is_joined_to_what_it_was_asked(tmp_path):
    asked = DATA / "06_batch/batch_input.jsonl"
    made = tmp_path / "s.jsonl"
    assert (
        run("import", "openai", DATA / "06_batch/batch_output.jsonl", "--requests", asked, "--samples", made)
        == 0
    )
    rows = {row["question"]: row["answers"] for row in read(made)}
    assert rows["What is the capital of Nepal?"] == ["The capital is Kathmandu."] * 5
    assert len(rows) == 9  # one failed


def test_requests_of_one_question_are_its_samples(tmp_path):
    """The input of `vllm run-batch` names each request otherwise; what is accepted stands in a table."""
    asked = table(*[{"custom_id": f"q-{at}", "question": PERU, "accepted": "Lima"} for at in range(4)])
    (tmp_path / "asked.csv").write_text(asked)
    failed = result("q-3", "", response={"status_code": 400, "body": None}, error={"message": "too long"})
    file = ("out.jsonl", lines(result("q-2", "Lima"), result("q-0", "Cusco"), result("q-1", "Lima"), failed))
    code, samples, questions = imported(tmp_path, "openai", file, "--requests", tmp_path / "asked.csv")
    assert code == 0
    assert [row["answers"] for row in samples] == [["Lima", "Cusco", "Lima"]]
    assert questions == [{"question": PERU, "accepted": ["Lima"]}]


# ---- what is right


def test_the_choices_of_mmlu_pro_are_kept(tmp_path):
    imported(tmp_path, "lm_eval", "07_mmlu_pro/samples_mmlu_pro_physics.jsonl")
    asked = datasets.load("q", {"path": tmp_path / "made_questions.jsonl"})
    assert asked["format"].tolist() == ["multiple_choice"] * 3
    assert asked["choices"].map(len).tolist() == [10] * 3
    assert asked["correct_choice"].tolist() == [8, 2, 0]
    assert asked["accepted"].str[0].tolist() == ["Jupiter", "Carbon dioxide", "Mercury"]


DOCUMENTS = {
    "input": {"input": PERU},
    "problem": {"problem": PERU, "solution": "x", "level": 1},
    "query": {"query": PERU, "choices": []},
}


@pytest.mark.parametrize("case", DOCUMENTS)
def test_a_document_is_read_by_the_names_of_a_file_of_questions(case, tmp_path):
    row = logged(0, None, "Lima", doc=DOCUMENTS[case])
    del row["doc"]["question"]
    code, _, questions = imported(tmp_path, "lm_eval", ("f.jsonl", lines(row)))
    assert (code, questions[0]["question"], questions[0]["accepted"]) == (0, PERU, ["Lima"])


VALUES = {
    "P and N": ("10_inspect/partial.json", "model_graded_qa", [1, 0, None, 1, 0, 1]),
    "true and false": ("10_inspect/booleans.json", "model_graded_qa", [1, 0, 1, 1]),
    "a part of an object": ("10_inspect/dict_value.json", "model_graded_qa.correct", [1, 0, 1]),
    "fractions": (
        (
            "f.json",
            log(*[(str(at), 1, "Lima", {"value": value}) for at, value in enumerate([1.0, 0.5, 0.0, 0.25])]),
        ),
        "match",
        [1, None, 0, None],
    ),
    "pass and fail": (
        (
            "f.json",
            log(*[(str(at), 1, "Lima", {"value": value}) for at, value in enumerate(["pass", "fail", None])]),
        ),
        "match",
        [1, 0, None],
    ),
}


@pytest.mark.parametrize("case", VALUES)
def test_what_is_partly_right_is_ungraded_and_counted(case, tmp_path, capsys):
    file, correct, values = VALUES[case]
    code, samples, _ = imported(tmp_path, "inspect_ai", file, f"--correct={correct}")
    grades = [(row.get("correct") or [None])[0] for row in samples]
    assert (code, grades[: len(values)]) == (0, values)
    missing = grades.count(None)
    assert (f"{missing} of {len(samples)} answers are ungraded" in capsys.readouterr().out) == bool(missing)


def test_a_metric_that_grades_nothing_is_said(tmp_path, capsys):
    partly = log(*[(str(at), 1, "Lima", {"value": "P"}) for at in range(3)])
    assert imported(tmp_path, "inspect_ai", ("f.json", partly), "--correct=match")[0] == 0
    assert "all answers are ungraded: match calls none right or wrong" in capsys.readouterr().out


# ---- benchmarks of the hub


def parquet(*rows):
    data = io.BytesIO()
    pd.DataFrame(list(rows)).to_parquet(data)
    return data.getvalue()


KEYED = {"question": PERU, "answer": "B"}
OPTIONS = {"A": "Cusco", "B": "Lima", "C": "Puno"}
BOXED = r"It is \boxed{\frac{1}{2}} for once, so the answer is $\boxed{\frac{\sqrt{3}}{2}}$."
#: The file, and of its first question what is accepted and the right choice.
HUB = {
    "GSM8K": ("09_hub/gsm8k_test.jsonl", ["10"], None),
    "AIME": ("09_hub/aime_int_answers.jsonl", ["4"], None),
    "BoolQ": ("09_hub/boolq_validation.jsonl", ["true"], None),
    "MATH": ("09_hub/math500_intervals.jsonl", ["[-2,2]"], None),
    "MedQA": ("09_hub/medqa_options.jsonl", ["Scurvy"], 1),
    "StrategyQA": (
        ("f.jsonl", lines({"qid": "1", "term": "x", "question": PERU, "answer": False, "facts": ["a"]})),
        ["false"],
        None,
    ),
    "Hendrycks' MATH": (
        ("f.parquet", parquet({"problem": PERU, "level": "1", "type": "Algebra", "solution": BOXED})),
        [r"\frac{\sqrt{3}}{2}"],
        None,
    ),
    "GSM8K as a CSV": (
        ("f.csv", table({"question": PERU, "answer": "2+2=<<2+2=4>>4\n#### 1,004"})),
        ["1,004"],
        None,
    ),
    "numbers of parquet": (
        ("f.parquet", parquet({"problem": PERU, "answer": 29.0}, {"problem": CHAD, "answer": 0.5})),
        ["29"],
        None,
    ),
    "options by letter in columns": (("f.csv", table({**KEYED, **OPTIONS})), ["Lima"], 1),
    "options as a list of objects": (
        ("f.jsonl", lines(KEYED | {"options": [{"key": k, "value": v} for k, v in OPTIONS.items()]})),
        ["Lima"],
        1,
    ),
    "options as an object in a CSV": (("f.csv", table(KEYED | {"options": str(OPTIONS)})), ["Lima"], 1),
    "RACE": (
        ("f.jsonl", lines({"article": "Lima is old.", **KEYED, "options": [*OPTIONS.values()]})),
        ["Lima"],
        1,
    ),
}


@pytest.mark.parametrize("case", HUB)
def test_benchmarks_of_the_hub_go_in_as_they_are(case, tmp_path, capsys):
    file, accepted, right = HUB[case]
    path = placed(tmp_path, file)
    first = datasets.load("bench", {"path": path, "format": "file"}).iloc[0]
    assert list(first["accepted"]) == accepted
    assert (None if pd.isna(first["correct_choice"]) else first["correct_choice"]) == right
    capsys.readouterr()
    if isinstance(file, str):
        assert run("check", path) == 0
        told = capsys.readouterr()
        assert "columns: " in told.err
        assert told.out.count(" accepted: ") == 3
        assert f"accepted: {accepted[0]}" in told.out


def test_check_doubts_worked_solutions_and_codes(tmp_path, capsys):
    rows = [
        {"question": f"What is the currency of country {at}?", "accepted": answer}
        for at, answer in enumerate(
            ["EUR", "euro", "She has three pears and eats one. " * 5, "P_12", "B", "1,500"]
        )
    ]
    assert run("check", placed(tmp_path, ("f.csv", table(*rows)))) == 0
    doubts = [line for line in capsys.readouterr().out.splitlines() if line.endswith("?") and ": is " in line]
    assert [line.split("'")[1][:8] for line in doubts] == ["EUR", "She has ", "P_12", "B"]
    assert "or a code for one" in doubts[0]
    assert "or a worked solution" in doubts[1]


# ---- tables to fit on

TABLE = [
    {"question": f"Q{at}", "answer": f"It is {at}.", "confidence": (30 + 3 * at) / 100, "correct": at % 3 > 0}
    for at in range(20)
]


def renamed(change, **more):
    """The table as CSV, with changes of each row."""
    return table(*[row | change(row) | more for row in TABLE])


PER_CENT = [f"{row['confidence']:.2%}".replace(".", ",").replace("%", " %") for row in TABLE]
TRUTHS = ["VRAI" if row["correct"] else "FAUX" for row in TABLE]
FRENCH = [
    f"{row['answer']};{share};{right}" for row, share, right in zip(TABLE, PER_CENT, TRUTHS, strict=True)
]
PLAIN = renamed(lambda row: {"confidence": f"{row['confidence']:.2f}", "correct": int(row["correct"])})
#: The file, what else is said, and the calibrator's number of answers.
FITTED = {
    "per cent signs": ("11_tables/percent.csv", ""),
    "words": ("11_tables/words_correct.csv", ""),
    "German Excel": ("11_tables/excel_german.csv", ""),
    "sep=;": ("11_tables/excel_sep.csv", ""),
    "header in any case": ("11_tables/header_case.csv", ""),
    "gzip": ("11_tables/table.csv.gz", ""),
    "records": ("11_tables/records.json", ""),
    "French Excel, in per cent": (("f.csv", "ANSWER;Confidence;Correct\n" + "\n".join(FRENCH)), ""),
    "0 to 10": (
        ("f.csv", renamed(lambda row: {"confidence": f"{10 * row['confidence']:.1f}"})),
        "--scale=10",
    ),
    "a column score": (("f.csv", PLAIN.replace("confidence", "score")), "--score=score"),
    "pass and fail, in gzipped JSON lines": (
        (
            "f.jsonl.gz",
            gzip.compress(
                lines(*[row | {"correct": "Pass" if row["correct"] else "Fail"} for row in TABLE]).encode()
            ),
        ),
        "",
    ),
    "records under a key": (("f.json", json.dumps({"meta": {"n": 20}, "data": TABLE}, indent=1)), ""),
    "columns, as pandas writes them": (("f.json", pd.DataFrame(TABLE).to_json()), ""),
    "sep=, behind a byte order mark": (("f.csv", "\ufeffsep=,\r\n" + PLAIN), ""),
}


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """The map of the table as it is in plain CSV."""
    folder = tmp_path_factory.mktemp("plain")
    assert run("fit", placed(folder, ("plain.csv", PLAIN)), "--out", folder / "cal.json") == 0
    return json.loads((folder / "cal.json").read_text())["calibration"]


@pytest.mark.parametrize("case", FITTED)
def test_a_table_is_taken_whole(case, tmp_path, fitted):
    file, option = FITTED[case]
    path = placed(tmp_path, file)
    assert run("fit", path, "--out", tmp_path / "cal.json", *option.split()) == 0
    saved = json.loads((tmp_path / "cal.json").read_text())
    assert saved["card"]["n"] == 20
    assert saved["calibration"]["learned"] == {
        name: pytest.approx(value) for name, value in fitted["learned"].items()
    }


def test_scores_of_a_hundred_are_taken_by_their_scale(tmp_path):
    assert (
        run("fit", DATA / "11_tables/hundred_with_ones.csv", "--out", tmp_path / "cal.json", "--scale=100")
        == 0
    )
    assert json.loads((tmp_path / "cal.json").read_text())["card"]["n"] == 25


# ---- what is refused, and with what remedy


def scored(*confidences, **more):
    return table(
        *[
            {"answer": f"It is {at}.", "confidence": one, "correct": at % 2} | more
            for at, one in enumerate(confidences)
        ]
    )


GRADED = [{"answer": f"It is {at}.", "confidence": 0.5, "correct": at % 3} for at in range(30)]
#: The command, the file, and what is said.
REFUSED = {
    "0 to 100 with some 1": (
        "fit",
        "11_tables/hundred_with_ones.csv",
        "line 4, column 'confidence': '100' is not in [0, 1]; if 100 is certain, say --scale 100",
    ),
    "0 to 10": (
        "fit",
        ("f.csv", scored(0, 1, 7.5, 10)),
        "line 4, column 'confidence': '7.5' is not in [0, 1]; if 10 is certain, say --scale 10",
    ),
    "below 0": (
        "fit",
        ("f.csv", scored(0.5, -0.25, 0.75)),
        "line 3, column 'confidence': '-0.25' is not in [0, 1]; scores go",
    ),
    "per cent beside shares": (
        "fit",
        ("f.csv", scored("0.5", "50%", "0.75")),
        "line 3, column 'confidence': '50%' has a per cent sign, unlike others",
    ),
    "a scale that none has": (
        "fit --scale=100",
        ("f.csv", scored(0.5, 0.75, 1)),
        "no score is above 1, so leave --scale out",
    ),
    "ratings for outcomes": (
        "fit",
        ("f.csv", table(*GRADED)),
        "line 4, column 'correct': '2' rates an answer",
    ),
    "a score that is named and not there": (
        "fit --score=p",
        ("f.csv", PLAIN),
        "no column 'p'; there are question, answer, confidence, correct",
    ),
    "no column correct": (
        "fit",
        ("f.csv", PLAIN.replace("correct", "is_correct")),
        "there are question, answer, confidence, is_correct; 'is_correct': call it correct?",
    ),
    "a batch without its questions": (
        "import openai",
        "06_batch/batch_output.jsonl",
        "does not say what was asked; give the batch's input by --requests",
    ),
    "what a batch was asked": (
        "import openai",
        "06_batch/batch_input.jsonl",
        "batch_input.jsonl, line 1, column 'response': is missing",
    ),
    "an object for a grade": (
        "import inspect_ai --correct=model_graded_qa",
        "10_inspect/dict_value.json",
        "samples 1, column 'correct', value 1: {'correct': 1, 'style': 0.5} is not one of 0, 1",
    ),
    "a rating for a grade": (
        "import inspect_ai --correct=match",
        ("f.json", log(("1", 1, "Lima", {"value": 1}), ("2", 1, "Lima", {"value": 4}))),
        "samples 2, column 'correct', value 1: 4 is not one of 0, 1",
    ),
    "a log without samples": (
        "import inspect_ai",
        "10_inspect/started_no_samples.json",
        "column 'samples': is missing (did the run end before the first?)",
    ),
    "a list of numbers in a CSV": (
        "check",
        ("f.csv", table({"question": PERU, "accepted": "[-2, 2]"})),
        "'accepted': '[-2, 2]' may be one text or several: quote each, or save the file as .jsonl",
    ),
    "a list in a CSV that is torn": (
        "import table",
        ("f.csv", table({"question": PERU, "gold": "Lima", "response": '["Lima", "Cus'})),
        "line 2, column 'answers': begins with [ but is no JSON list",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_named_with_its_remedy_and_nothing_is_written(case, tmp_path, capsys):
    command, file, told = REFUSED[case]
    path, out = placed(tmp_path, file), tmp_path / "out.json"
    command = command.split()
    target = {"fit": [f"--out={out}"], "import": [f"--samples={out}l"], "check": []}[command[0]]
    before = {*tmp_path.iterdir()}
    assert run(
        *command[:1],
        *command[1:2] * (command[0] == "import"),
        path,
        *command[1 + (command[0] == "import") :],
        *target,
    ) in (1, 2)
    said = capsys.readouterr()
    assert told in said.err + said.out
    assert path.name in said.err + said.out
    assert {*tmp_path.iterdir()} == before


def test_columns_that_are_not_used_are_named_with_what_they_may_be(tmp_path, capsys):
    rows = [
        {"answer": f"Perhaps it is {at}.", "score": at / 40, "topic": "x", "correct": at % 2}
        for at in range(40)
    ]
    assert run("fit", placed(tmp_path, ("f.csv", table(*rows))), "--out", tmp_path / "cal.json") == 0
    told = capsys.readouterr().err
    assert "not used: score, topic; 'score': --score score?" in told
    assert "the words of the answers are read" in told


def test_a_column_that_json_cannot_hold_is_named(tmp_path, capsys):
    path = placed(tmp_path, ("f.parquet", parquet({"text": "Perhaps.", "image": b"\xff\xd8"})))
    assert run("read", path, "--out", tmp_path / "out.jsonl") == 2
    assert "out.jsonl, column 'image': JSON has no bytes; write .parquet" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()


# ---- an answer beside its samples


def test_of_an_answer_beside_samples_the_confidence_is_their_agreement_with_it(tmp_path, capsys):
    drawn = ["Lima", "Lima", "Lima", "Cusco"]
    rows = [
        {
            "question": PERU,
            "answer": ("Lima", "Cusco", "Puno")[at % 3],
            "samples": drawn,
            "correct": int(at % 3 == 0),
        }
        for at in range(60)
    ]
    assert run("fit", placed(tmp_path, ("f.jsonl", lines(*rows))), "--out", tmp_path / "cal.json") == 0
    assert "the samples' agreement with the answer in 'answer'" in capsys.readouterr().err
    calibrator = WordCalibrator.load(tmp_path / "cal.json")
    assert calibrator.signal_ == "semantic_uncertainty"
    assert calibrator.design_.own_answer
    _, confidence = calibrator.confidence_of(
        [drawn] * 3, answers=["Lima", "Cusco", "Puno"], questions=[PERU] * 3
    )
    assert confidence.mean.tolist() == [3.5 / 5, 1.5 / 5, 0.5 / 5]
    asked = placed(tmp_path, ("asked.jsonl", lines(*rows[:3])))
    assert (
        run("rewrite", asked, f"--calibrator={tmp_path / 'cal.json'}", f"--out={tmp_path / 'out.jsonl'}") == 0
    )
    made = read(tmp_path / "out.jsonl")
    targets = [row["target"] for row in made]
    assert targets == sorted(targets, reverse=True)
    assert ["Lima" in made[0]["text"], "Cusco" in made[1]["text"], "Puno" in made[2]["text"]] == [True] * 3


def test_a_list_of_outcomes_is_none_of_an_answer_beside_its_samples(tmp_path, capsys):
    row = {"question": PERU, "answer": "Lima", "samples": ["Lima", "Cusco"], "correct": [1, 0]}
    assert run("fit", placed(tmp_path, ("f.jsonl", lines(*[row] * 9))), "--out", tmp_path / "cal.json") == 2
    assert "correct = [1, 0] is neither 1 nor 0" in capsys.readouterr().err


def test_a_calibrator_of_majorities_takes_no_answer_beside_samples(tmp_path, capsys):
    row = {"question": PERU, "samples": ["Lima", "Lima", "Cusco"], "correct": 1}
    rows = [row | {"correct": at % 2} for at in range(30)]
    assert run("fit", placed(tmp_path, ("f.jsonl", lines(*rows))), "--out", tmp_path / "cal.json") == 0
    asked = placed(tmp_path, ("asked.jsonl", lines(row | {"answer": "Puno"})))
    assert (
        run("rewrite", asked, f"--calibrator={tmp_path / 'cal.json'}", f"--out={tmp_path / 'o.jsonl'}") == 0
    )
    assert "Lima" in read(tmp_path / "o.jsonl")[0]["text"]
    assert "agreement" not in capsys.readouterr().err
