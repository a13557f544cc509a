"""Files in the shapes of public bug reports of other projects: each kind once, and two variants of our own."""

import csv
import gzip
import io
import json
import math

import pandas as pd
import pytest

from ralc import datasets
from ralc.cli.app import main

PERU, CHAD = "What is the capital of Peru?", "What is the capital of Chad?"


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def run(*arguments):
    """The exit code of a command."""
    with pytest.raises(SystemExit) as left:
        main([str(one) for one in arguments])
    return left.value.code or 0


def imported(folder, form, name, content, *options):
    """The rows of samples and of questions that `ralc import` makes, as JSON has them; a NaN is no JSON."""

    def refuse(text):
        raise AssertionError(f"{text} in JSON")

    (folder / name).write_text(content)
    files = {kind: folder / f"made_{kind}.jsonl" for kind in ("samples", "questions")}
    options = [*options, *(f"--{kind}={path}" for kind, path in files.items())]
    assert run("import", form, folder / name, *options) == 0
    return [
        [json.loads(line, parse_constant=refuse) for line in path.read_text().splitlines()]
        for path in files.values()
    ]


def lm_eval(doc_id, question, target, *answers, doc=None, **more):
    """A document that lm-evaluation-harness logged."""
    return {
        "doc_id": doc_id,
        "doc": {"question": question} | (doc or {}),
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": question, "arg_1": {}}},
        "resps": [list(answers)],
        "filtered_resps": [answers[0]],
    } | more


def inspect_log(*samples):
    """A log of inspect_ai with samples of (id, epoch, question, target, answer, scores)."""
    return json.dumps(
        {
            "samples": [
                {
                    "id": name,
                    "epoch": epoch,
                    "input": question,
                    "choices": None,
                    "target": target,
                    "output": {"choices": [{"message": {"role": "assistant", "content": answer}}]},
                    "scores": scores,
                }
                for name, epoch, question, target, answer, scores in samples
            ]
        }
    )


# One sample once.

LIMA = lm_eval(0, PERU, "Lima", "Lima", exact_match=0.0)
COPIES = {
    "two filters in a log without the field": (
        "lm_eval",
        "s.jsonl",
        lines(LIMA, LIMA | {"exact_match": 1.0}),
    ),
    "a log that two runs wrote into": (
        "lm_eval",
        "s.jsonl",
        lines(*[LIMA | {"filter": "none"}, lm_eval(1, CHAD, "N'Djamena", "Sarh", filter="none")] * 2),
    ),
    "an epoch that stands twice": (
        "inspect_ai",
        "l.json",
        inspect_log(*[("1", 1, PERU, "Lima", "Lima", {})] * 2, ("1", 2, PERU, "Lima", "Cusco", {})),
    ),
}


@pytest.mark.parametrize("case", COPIES)
def test_a_document_that_is_logged_twice_is_one_answer(case, tmp_path):
    samples, _ = imported(tmp_path, *COPIES[case])
    assert samples[0]["answers"] == (["Lima", "Cusco"] if "epoch" in case else ["Lima"])


# Reasoning is stripped, and the raw text kept beside the answer.

REASONING = {
    "an opening and a closing tag": (
        "lm_eval",
        "s.jsonl",
        lines(lm_eval(0, PERU, "Lima", "<think>\nCusco? Perhaps not.\n</think>\n\nIt is Lima.")),
    ),
    "a closing tag alone": (
        "lm_eval",
        "s.jsonl",
        lines(lm_eval(0, PERU, "Lima", "Maybe Cusco? I doubt it.\n</think>\n\nIt is Lima.")),
    ),
    "a table": (
        "table",
        "t.jsonl",
        lines(
            {"question": PERU, "accepted": ["Lima"], "answers": ["<reasoning>Cusco?</reasoning>It is Lima."]}
        ),
    ),
    "inspect_ai": (
        "inspect_ai",
        "l.json",
        inspect_log(("1", 1, PERU, "Lima", "<thinking>Not Cusco.</thinking>\nIt is Lima.", {})),
    ),
    "vLLM": (
        "vllm",
        "o.jsonl",
        lines(
            {"question": PERU, "accepted": ["Lima"], "outputs": [{"text": "[THINK]Hm.[/THINK]It is Lima."}]}
        ),
    ),
}


@pytest.mark.parametrize("case", REASONING)
def test_reasoning_is_no_answer(case, tmp_path):
    (sample, *_), _ = imported(tmp_path, *REASONING[case])
    assert sample["answers"] == ["It is Lima."]
    assert sample["raw_answers"][0].endswith("It is Lima.")
    assert len(sample["raw_answers"][0]) > len("It is Lima.")


def test_reasoning_that_never_ends_is_no_answer(tmp_path):
    logged = lm_eval(0, PERU, "Lima", "<think>\nIt may be Lima or Cusco, and", "Lima")
    (sample,), _ = imported(tmp_path, "lm_eval", "s.jsonl", lines(logged))
    assert sample["answers"] == ["", "Lima"]


def test_a_result_of_uqlm_has_the_text_of_its_messages(tmp_path):
    message = f"[HumanMessage(content={PERU!r}, additional_kwargs={{}}, response_metadata={{}})]"
    data = {"prompts": [message, CHAD], "responses": ["Lima", ""], "sampled_responses": [["Cusco"], ["Sarh"]]}
    (tmp_path / "r.json").write_text(json.dumps({"data": data, "metadata": {}}))
    run("import", "uqlm", tmp_path / "r.json", f"--samples={tmp_path / 's.jsonl'}")
    rows = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert [(row["question"], row["answers"]) for row in rows] == [
        (PERU, ["Lima", "Cusco"]),
        (CHAD, ["Sarh"]),
    ]


# Choices and keys.

CITIES = ["Cusco", "Lima", "Puno"]
CHOICES = {
    "a letter": ("lm_eval", "s.jsonl", lines(lm_eval(0, PERU, "B", "B. Lima", doc={"choices": CITIES}))),
    "a small letter": ("lm_eval", "s.jsonl", lines(lm_eval(0, PERU, "b", "B", doc={"choices": CITIES}))),
    "a number": ("lm_eval", "s.jsonl", lines(lm_eval(0, PERU, 1, "B", doc={"choices": CITIES}))),
    "a number as a text": ("lm_eval", "s.jsonl", lines(lm_eval(0, PERU, "1", "B", doc={"choices": CITIES}))),
    "a text": ("lm_eval", "s.jsonl", lines(lm_eval(0, PERU, "Lima", "B", doc={"choices": CITIES}))),
    "labels beside them": (
        "lm_eval",
        "s.jsonl",
        lines(lm_eval(0, PERU, "B", "B", doc={"choices": {"text": CITIES, "label": ["A", "B", "C"]}})),
    ),
    "a table's letter": (
        "table",
        "t.jsonl",
        lines({"question": PERU, "options": CITIES, "answer": "b", "response": "Lima"}),
    ),
}


@pytest.mark.parametrize("case", CHOICES)
def test_the_choices_of_a_document_are_kept(case, tmp_path):
    imported(tmp_path, *CHOICES[case])
    question = datasets.load("q", {"path": tmp_path / "made_questions.jsonl"}).iloc[0]
    assert question["format"] == "multiple_choice"
    assert (question["choices"], question["correct_choice"]) == (CITIES, 1)


TRUTHFUL = {
    "best_answer": "Nothing",
    "correct_answers": ["Nothing happens", "Knuckles crack"],
    "incorrect_answers": ["You get arthritis"],
}
KEYS = {
    "truthfulqa_gen": ("lm_eval", "s.jsonl", lines(lm_eval(0, PERU, " ", "Nothing.", doc=TRUTHFUL))),
    "without a best answer": (
        "lm_eval",
        "s.jsonl",
        lines(
            lm_eval(0, PERU, "", "Nothing.", doc={k: v for k, v in TRUTHFUL.items() if k != "best_answer"})
        ),
    ),
    "a table": ("table", "t.jsonl", lines({"question": PERU, **TRUTHFUL, "response": "Nothing."})),
}


@pytest.mark.parametrize("case", KEYS)
def test_the_right_and_wrong_answers_of_a_document_are_taken(case, tmp_path):
    _, (question,) = imported(tmp_path, *KEYS[case])
    best = [] if "without" in case else ["Nothing"]
    assert question["accepted"] == [*best, "Nothing happens", "Knuckles crack"]
    assert question["wrong"] == ["You get arthritis"]


# A reply with text is a reply.


@pytest.mark.parametrize("reason", ["eos_token", None, "end_turn", "", "stop_sequence"])
def test_a_reply_with_text_is_a_reply_whatever_ended_it(reason, tmp_path):
    choice = {"index": 0, "message": {"role": "assistant", "content": "Lima"}, "finish_reason": reason}
    reply = {"id": "c-1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    row = {"question": PERU, "accepted": ["Lima"], "response": reply}
    (sample,), _ = imported(tmp_path, "openai", "r.jsonl", lines(row))
    assert sample["answers"] == ["Lima"]


# What is ungraded is null and counted.

UNGRADED = {
    "a score that is NaN": (
        "inspect_ai",
        "l.json",
        inspect_log(
            ("1", 1, PERU, "Lima", "Lima", {"model_graded_qa": {"value": "C"}}),
            ("2", 1, CHAD, "N'Djamena", "Sarh", {"model_graded_qa": {"value": math.nan}}),
        ),
        "--correct=model_graded_qa",
    ),
    "a sample without scores": (
        "inspect_ai",
        "l.json",
        inspect_log(
            ("1", 1, PERU, "Lima", "Lima", {"model_graded_qa": {"value": "C"}}),
            ("2", 1, CHAD, "N'Djamena", "Sarh", {}),
        ),
        "--correct=model_graded_qa",
    ),
    "a metric that is NaN": (
        "lm_eval",
        "s.jsonl",
        lines(
            lm_eval(0, PERU, "Lima", "Lima", exact_match=1.0),
            lm_eval(1, CHAD, "N'Djamena", "Sarh", exact_match=math.nan),
        ),
        "--correct=exact_match",
    ),
    "a document without the metric": (
        "lm_eval",
        "s.jsonl",
        lines(lm_eval(0, PERU, "Lima", "Lima", exact_match=1.0), lm_eval(1, CHAD, "N'Djamena", "Sarh")),
        "--correct=exact_match",
    ),
    "an empty cell and one that says so": (
        "table",
        "t.csv",
        f"question,accepted,response,correct\n{PERU},Lima,Lima,1\n{CHAD},N'Djamena,Sarh,NaN\nWho?,She,He,\n",
    ),
}


@pytest.mark.parametrize("case", UNGRADED)
def test_what_is_ungraded_is_null_and_counted(case, tmp_path, capsys):
    samples, questions = imported(tmp_path, *UNGRADED[case])
    assert [row.get("correct") in ([None], None) for row in samples] == [False] + [True] * (len(samples) - 1)
    assert samples[0]["correct"] in (1, [1], "1")
    assert len(questions) == len(samples)
    assert f"{len(samples) - 1} of {len(samples)} answers are ungraded" in capsys.readouterr().out


# The field's files as they are.


def parquet(*rows):
    data = io.BytesIO()
    pd.DataFrame(list(rows)).to_parquet(data)
    return data.getvalue()


def table(*rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def squad(*paragraph_rows, version="1.1"):
    qas = [{"id": name, "question": asked, "answers": answers} for name, asked, answers in paragraph_rows]
    paragraph = {"context": "Lima is the capital of Peru.", "qas": qas}
    return json.dumps({"version": version, "data": [{"title": "Lima", "paragraphs": [paragraph]}]}).encode()


SPAN = [{"text": "Lima", "answer_start": 0}]
CONTEXT = {"id": "1", "title": "Lima", "context": "Lima is the capital of Peru.", "question": PERU}
TRIVIA = {
    "question": PERU,
    "question_id": "tc_1",
    "question_source": "http://example.org",
    "entity_pages": {"title": ["Lima"], "wiki_context": [""]},
    "search_results": {"rank": [1], "description": ["Lima"]},
    "answer": {"value": "Lima", "aliases": ["Lima", "City of Kings"], "normalized_aliases": ["lima"]},
}
MMLU = {"question": PERU, "subject": "geography", "choices": ["Cusco", "Lima", "Puno", "Tacna"], "answer": 1}
#: File, its format (none: recognised), and of its first question what is accepted and the right choice.
FILES = {
    "mmlu_test.parquet": (parquet(MMLU, MMLU | {"answer": 0}), "", ["Lima"], 1),
    "mmlu.parquet as mmlu": (parquet(MMLU, MMLU | {"answer": 0}), "mmlu", ["Lima"], 1),
    "squad_v2_validation.parquet": (
        parquet(
            CONTEXT | {"answers": {"text": ["Lima", "Lima"], "answer_start": [0, 0]}},
            CONTEXT | {"id": "2", "answers": {"text": [], "answer_start": []}},
        ),
        "",
        ["Lima"],
        None,
    ),
    "truthful_qa_generation.parquet": (
        parquet({"type": "Adversarial", "category": "X", "question": PERU, **TRUTHFUL, "source": "s"}),
        "",
        ["Nothing", "Nothing happens", "Knuckles crack"],
        None,
    ),
    "trivia_qa.parquet": (parquet(TRIVIA), "", ["Lima", "City of Kings"], None),
    "simple_qa_test_set.csv": (
        table(
            {
                "metadata": "{'topic': 'Geography', 'urls': ['https://example.org']}",
                "problem": PERU,
                "answer": "Lima; of Peru",
            }
        ),
        "",
        ["Lima; of Peru"],
        None,
    ),
    "dev-v1.1.json": (squad(("1", PERU, SPAN), ("2", CHAD, SPAN)), "squad2", ["Lima"], None),
    # Variants of our own.
    "arc_challenge.parquet": (
        parquet(
            {
                "id": "M_1",
                "question": PERU,
                "choices": {"text": CITIES, "label": ["A", "B", "C"]},
                "answerKey": "B",
            }
        ),
        "",
        ["Lima"],
        1,
    ),
    "mmlu_pro.parquet": (
        parquet(
            {
                "question_id": 70,
                "question": PERU,
                "options": CITIES,
                "answer": "B",
                "answer_index": 1,
                "cot_content": "",
                "category": "geography",
                "src": "s",
            }
        ),
        "",
        ["Lima"],
        1,
    ),
    "squad_v1_validation.parquet": (
        parquet(CONTEXT | {"answers": {"text": ["Lima"], "answer_start": [0]}}),
        "squad2",
        ["Lima"],
        None,
    ),
    "train-v1.1.json.gz": (gzip.compress(squad(("1", PERU, SPAN))), "squad2", ["Lima"], None),
    "nq_open.parquet": (
        parquet({"question": PERU, "answer": ["Lima", "City of Kings"]}),
        "",
        ["Lima", "City of Kings"],
        None,
    ),
    "simpleqa_verified.csv": (
        table(
            {
                "original_index": 5,
                "problem": PERU,
                "answer": "Lima",
                "topic": "Geography",
                "answer_type": "Place",
                "multi_step": False,
                "requires_reasoning": False,
                "urls": "https://example.org",
            }
        ),
        "",
        ["Lima"],
        None,
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_the_files_of_the_field_go_in_as_they_are(case, tmp_path):
    data, form, accepted, right = FILES[case]
    path = tmp_path / case.partition(" as ")[0]
    path.write_bytes(data)
    questions = datasets.load("bench", {"path": path, **({"format": form} if form else {})})
    first = questions.iloc[0]
    assert first["question"] == PERU
    assert list(first["accepted"]) == accepted
    assert (None if pd.isna(first["correct_choice"]) else first["correct_choice"]) == right
    if case.startswith("squad_v2"):
        assert questions["answerable"].tolist() == [True, False]
    if "truthful" in case:
        assert list(first["wrong"]) == ["You get arthritis"]


def test_check_reads_a_file_of_the_field(tmp_path, capsys):
    (tmp_path / "trivia_qa.parquet").write_bytes(
        parquet(*[TRIVIA | {"question_id": str(i), "question": f"Who was {i}?"} for i in range(4)])
    )
    assert run("check", tmp_path / "trivia_qa.parquet") == 0
    assert "questions" in capsys.readouterr().out
