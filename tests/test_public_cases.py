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


def imported(folder, form, content, *options):
    """The rows of samples and of questions that `ralc import` makes, as JSON has them; a NaN is no JSON."""

    def refuse(text):
        raise AssertionError(f"{text} in JSON")

    name = "log.json" if form == "inspect_ai" else "t.csv" if content.startswith("question") else "s.jsonl"
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


def reply(choice, name="c-1"):
    """A saved reply of a chat API."""
    told = {"id": name, "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return {"question": PERU, "accepted": ["Lima"], "response": told}


def said(*outputs):
    return {"question": PERU, "accepted": ["Lima"], "outputs": [{"text": text} for text in outputs]}


LIMA = lm_eval(0, PERU, "Lima", "Lima", exact_match=0.0)
SARH = lm_eval(1, CHAD, "N'Djamena", "Sarh", filter="none")
EPOCH = ("1", 1, PERU, "Lima", "Lima", {})
LONG = "Cusco? Perhaps not."
#: Of each kind a form and what it saved; and the answers to the first question.
ANSWERS = {
    # One sample once.
    "two filters in a log without the field": ("lm_eval", lines(LIMA, LIMA | {"exact_match": 1.0}), ["Lima"]),
    "a log that two runs wrote into": ("lm_eval", lines(*[LIMA | {"filter": "none"}, SARH] * 2), ["Lima"]),
    "an epoch that stands twice": (
        "inspect_ai",
        inspect_log(EPOCH, EPOCH, ("1", 2, PERU, "Lima", "Cusco", {})),
        ["Lima", "Cusco"],
    ),
    # Reasoning is stripped.
    "an opening and a closing tag": (
        "lm_eval",
        lines(lm_eval(0, PERU, "Lima", f"<think>\n{LONG}\n</think>\n\nIt is Lima.")),
        ["It is Lima."],
    ),
    "a closing tag alone": ("lm_eval", lines(lm_eval(0, PERU, "Lima", f"{LONG}</think>\nLima.")), ["Lima."]),
    "reasoning in a table": (
        "table",
        lines({"question": PERU, "accepted": ["Lima"], "answers": [f"<reasoning>{LONG}</reasoning>Lima."]}),
        ["Lima."],
    ),
    "reasoning in a log": (
        "inspect_ai",
        inspect_log(("1", 1, PERU, "Lima", f"<thinking>{LONG}</thinking>\nLima.", {})),
        ["Lima."],
    ),
    "reasoning of vLLM": ("vllm", lines(said("[THINK]Hm.[/THINK]It is Lima.")), ["It is Lima."]),
    "reasoning that never ends": (
        "lm_eval",
        lines(lm_eval(0, PERU, "Lima", f"<think>\n{LONG}", "Lima")),
        ["", "Lima"],
    ),
    # A reply with text is a reply.
    "a text in parts": (
        "openai",
        lines(reply({"index": 0, "message": {"content": [{"type": "text", "text": "Lima"}]}})),
        ["Lima"],
    ),
    **{
        f"ended by {reason!r}": (
            "openai",
            lines(
                reply(
                    {"index": 0, "message": {"role": "assistant", "content": "Lima"}, "finish_reason": reason}
                )
            ),
            ["Lima"],
        )
        for reason in ("eos_token", None, "end_turn", "", "stop_sequence")
    },
}


@pytest.mark.parametrize("case", ANSWERS)
def test_answers_are_taken_once_and_without_reasoning(case, tmp_path):
    form, content, answers = ANSWERS[case]
    samples, _ = imported(tmp_path, form, content)
    assert samples[0]["answers"] == answers
    raw = samples[0].get("raw_answers")
    assert bool(raw) == ("reasoning" in case or "tag" in case)
    assert raw is None or all(len(one) >= len(answer) for one, answer in zip(raw, answers, strict=True))


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
LABELLED = {"text": CITIES, "label": ["A", "B", "C"]}
CHOICES = {
    **{
        f"the key {key!r}": ("lm_eval", lines(lm_eval(0, PERU, key, "B. Lima", doc={"choices": CITIES})))
        for key in ("B", "b", 1, "1", "Lima")
    },
    "labels beside them": ("lm_eval", lines(lm_eval(0, PERU, "B", "B", doc={"choices": LABELLED}))),
    "a table's letter": (
        "table",
        lines({"question": PERU, "options": CITIES, "answer": "b", "response": "Lima"}),
    ),
}


@pytest.mark.parametrize("case", CHOICES)
def test_the_choices_of_a_document_are_kept(case, tmp_path):
    imported(tmp_path, *CHOICES[case])
    question = datasets.load("q", {"path": tmp_path / "made_questions.jsonl"}).iloc[0]
    assert question["format"] == "multiple_choice"
    assert (question["choices"], question["correct_choice"]) == (CITIES, 1)


OTHERS = {
    "correct_answers": ["Nothing happens", "Knuckles crack"],
    "incorrect_answers": ["You get arthritis"],
}
TRUTHFUL = {"best_answer": "Nothing", **OTHERS}
KEYS = {
    "truthfulqa_gen": ("lm_eval", lines(lm_eval(0, PERU, " ", "Nothing.", doc=TRUTHFUL))),
    "without a best answer": ("lm_eval", lines(lm_eval(0, PERU, "", "Nothing.", doc=OTHERS))),
    "a table": ("table", lines({"question": PERU, **TRUTHFUL, "response": "Nothing."})),
}


@pytest.mark.parametrize("case", KEYS)
def test_the_right_and_wrong_answers_of_a_document_are_taken(case, tmp_path):
    _, (question,) = imported(tmp_path, *KEYS[case])
    best = [] if "without" in case else ["Nothing"]
    assert question["accepted"] == [*best, "Nothing happens", "Knuckles crack"]
    assert question["wrong"] == ["You get arthritis"]


# What is ungraded is null and counted.

RIGHT = ("1", 1, PERU, "Lima", "Lima", {"model_graded_qa": {"value": "C"}})
EXACT, GRADED = "--correct=exact_match", "--correct=model_graded_qa"
HIT = lm_eval(0, PERU, "Lima", "Lima", exact_match=1.0)
ROWS = f"question,accepted,response,correct\n{PERU},Lima,Lima,1\n{CHAD},N'Djamena,Sarh,NaN\nWho?,She,He,\n"
UNGRADED = {
    **{
        name: ("inspect_ai", inspect_log(RIGHT, ("2", 1, CHAD, "N'Djamena", "Sarh", scores)), GRADED)
        for name, scores in {
            "a score that is NaN": {"model_graded_qa": {"value": math.nan}},
            "a sample without scores": {},
        }.items()
    },
    **{
        name: ("lm_eval", lines(HIT, lm_eval(1, CHAD, "N'Djamena", "Sarh", **metric)), EXACT)
        for name, metric in {
            "a metric that is NaN": {"exact_match": math.nan},
            "a document without the metric": {},
        }.items()
    },
    "an empty cell and one that says so": ("table", ROWS),
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
NAMES = {"value": "Lima", "aliases": ["Lima", "City of Kings"], "normalized_aliases": ["lima"]}
TRIVIA = {"question": PERU, "question_id": "tc_1", "question_source": "http://x.org", "answer": NAMES}
TRIVIA |= {"entity_pages": {"title": ["Lima"], "wiki_context": [""]}}
TRIVIA |= {"search_results": {"rank": [1], "description": ["Lima"]}}
MMLU = {"question": PERU, "subject": "geography", "choices": ["Cusco", "Lima", "Puno", "Tacna"], "answer": 1}
KEYED = {"choices": LABELLED, "answerKey": "B"}
ARC = {"id": "M_1", "question": PERU, **KEYED}
PRO = {"question_id": 70, "question": PERU, "options": CITIES, "answer": "B", "answer_index": 1}
PRO |= {"cot_content": "", "category": "geography", "src": "s"}
UNANSWERED = CONTEXT | {"id": "2", "answers": {"text": [], "answer_start": []}}
SIMPLE = {"metadata": "{'topic': 'Geography', 'urls': ['https://x.org']}", "problem": PERU}
VERIFIED = {
    "original_index": 5,
    "problem": PERU,
    "answer": "Lima",
    "topic": "Geography",
    "answer_type": "Place",
}
VERIFIED |= {"multi_step": False, "requires_reasoning": False, "urls": "https://x.org"}
WRONG_JOINED = {"Incorrect Answers": "You get arthritis"}
BEST, KINGS = ["Nothing", *OTHERS["correct_answers"]], ["Lima", "City of Kings"]


def spans(n):
    return CONTEXT | {"answers": {"text": ["Lima"] * n, "answer_start": [0] * n}}


#: File, its format (none: recognised), and of its first question what is accepted and the right choice.
FILES = {
    "mmlu_test.parquet": (parquet(MMLU, MMLU | {"answer": 0}), "", ["Lima"], 1),
    "mmlu.parquet as mmlu": (parquet(MMLU, MMLU | {"answer": 0}), "mmlu", ["Lima"], 1),
    "squad_v2_validation.parquet": (parquet(spans(2), UNANSWERED), "", ["Lima"], None),
    "truthful_qa_generation.parquet": (
        parquet({"type": "Adversarial", "category": "X", "question": PERU, **TRUTHFUL, "source": "s"}),
        "",
        BEST,
        None,
    ),
    "trivia_qa.parquet": (parquet(TRIVIA), "", KINGS, None),
    "TruthfulQA.csv": (
        table({"Question": PERU, "Best Answer": BEST[0], "Correct Answers": "; ".join(BEST), **WRONG_JOINED}),
        "",
        BEST,
        None,
    ),
    "simple_qa_test_set.csv": (table(SIMPLE | {"answer": "Lima; of Peru"}), "", ["Lima; of Peru"], None),
    "dev-v1.1.json": (squad(("1", PERU, SPAN), ("2", CHAD, SPAN)), "squad2", ["Lima"], None),
    # Variants of our own.
    "arc_challenge.parquet": (parquet(ARC), "", ["Lima"], 1),
    "mmlu_pro.parquet": (parquet(PRO), "", ["Lima"], 1),
    "squad_v1_validation.parquet": (parquet(spans(1)), "squad2", ["Lima"], None),
    "train-v1.1.json.gz": (gzip.compress(squad(("1", PERU, SPAN))), "squad2", ["Lima"], None),
    "nq_open.parquet": (parquet({"question": PERU, "answer": KINGS}), "", KINGS, None),
    "openbookqa.parquet": (parquet({"id": "7", "question_stem": PERU} | KEYED), "", ["Lima"], 1),
    "simpleqa_verified.csv": (table(VERIFIED), "", ["Lima"], None),
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
    if "truthful" in case.casefold():
        assert list(first["wrong"]) == ["You get arthritis"]


def test_check_reads_a_file_of_the_field(tmp_path, capsys):
    (tmp_path / "trivia_qa.parquet").write_bytes(
        parquet(*[TRIVIA | {"question_id": str(i), "question": f"Who was {i}?"} for i in range(4)])
    )
    assert run("check", tmp_path / "trivia_qa.parquet") == 0
    assert "questions" in capsys.readouterr().out
