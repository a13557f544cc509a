"""Make files of samples and questions of three published studies, for the presets that use them.

    python -m studies.published wang2025 answers_eval_correctness.jsonl \\
        --samples examples/gpt-4o.jsonl --questions examples/truthfulqa.jsonl

The studies: ``dlm_uncertainty`` (``*_graded_responses.csv``), ``wang2025``, and ``factscore`` (``ChatGPT.jsonl`` in the
folder of all three models).
"""

import argparse
import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ralc import precomputed
from ralc.datasets.published import factscore
from ralc.io.rows import Row, read_rows
from ralc.precomputed.conversion import by_question
from ralc.precomputed.replies import converted, typed
from ralc.registry import NOT_ATTEMPTED

#: The parts of a question of MMLU as it was asked, and what ends each; the last may go on to the end.
_MMLU_ENDS = {"question": "\nA. ", "A": "\nB. ", "B": "\nC. ", "C": "\nD. ", "D": "\nAnswer:"}
#: The marks by which an answer of FActScore cites a source that is not there.
_CITED = re.compile(r"\[\d+\]")


def from_dlm_uncertainty(path: str | Path) -> list[Row]:
    """Return the rows of a file of graded responses of the study dlm_uncertainty.

    A letter is expanded to its choice's text; anything else that was answered stays as it is. An answer is correct
    if it is the right letter (as the file's own grade says of the response). A missing log-probability is null.
    """

    def of_dlm(row: dict[str, str]) -> dict[str, Any]:
        question = _mmlu(row)
        letters = typed(ast.literal_eval(row["raw_response"]), list, "raw_response")
        values = json.loads(row["logprobs"].replace("nan", "null").replace("None", "null"))
        return {
            "question": question["question"],
            "choices": [question[letter] for letter in "ABCD"],
            "correct_choice": ["A", "B", "C", "D"].index(row["answer_key"]),
            "subject": row["subject"],
            "answers": [question.get(letter.strip(), letter) for letter in letters],
            "token_logprobs": [
                None if value is None else [value] for value in typed(values, list, "logprobs")
            ],
            "correct": [int(letter.strip() == row["answer_key"]) for letter in letters],
        }

    return converted(read_rows(path, "csv"), of_dlm)


def _mmlu(row: dict[str, str]) -> dict[str, str]:
    """The parts of a question of MMLU as it was asked: its text, and its choices by letter."""
    parts = {}
    rest = row["question"].removeprefix("Question: ")
    for name, end in _MMLU_ENDS.items():
        parts[name], mark, rest = rest.partition(end)
        if not mark and name != "D":
            raise ValueError("column 'question': no question with the choices A to D")
    return {name: part.strip() for name, part in parts.items()}


def from_wang2025(path: str | Path) -> list[Row]:
    """Return the rows of Wang et al.'s answers: one a question, which says its certainty in words.

    The text is ``answer (phrase)``, the phrase without the full stop or quotes that ten of them carry.
    """
    return converted(
        read_rows(path, "jsonl"),
        lambda row: {
            "question": row["question"],
            "accepted": [
                one for one in typed(row["correct_answers"], list, "correct_answers") if one.strip()
            ],
            "answers": [f"{row['pred_answer']} ({phrase_of(row['confidence']).lower()})"],
            "correct": [row["is_correct"]],
        },
    )


def phrase_of(label: str) -> str:
    """Return a certainty phrase as it was meant.

    >>> phrase_of('"Possibly".')
    'Possibly'
    """
    return label.strip().strip('."')


def from_factscore(path: str | Path) -> list[Row]:
    """Return the rows of one model's file of FActScore's labelled answers, in the folder of all three.

    The first answer is the model's own, with the stretches that people labelled; a refusal is graded NOT_ATTEMPTED.
    The other models' answers to the same question stand behind it, as second opinions.
    """
    path = Path(path)
    model = path.name.partition(".")[0]
    folder = path.parent
    rest = [
        {asked(one): said(one) for *_, one in factscore.answers_of(folder, other)}
        for other in factscore.MODELS
        if other != model
    ]

    def of_factscore(row: dict[str, Any]) -> dict[str, Any]:
        labelled = facts(row)
        second = [by_topic[asked(row)] for by_topic in rest]
        return {
            "question": asked(row),
            "answers": [said(row), *second],
            "correct": [NOT_ATTEMPTED if labelled is None else None, *(None for _ in second)],
            "facts": [labelled, *(None for _ in second)],
        }

    return converted(factscore.answers_of(folder, model), of_factscore)


def asked(answered: dict[str, Any]) -> str:
    """Return the question that was answered."""
    return answered["input"].removeprefix("Question: ")


def said(answered: dict[str, Any]) -> str:
    """Return the answer, without marks of sources."""
    return _CITED.sub("", answered["output"]).strip()


def facts(answered: dict[str, Any]) -> list[list[int]] | None:
    """Return the labelled stretches of an answer: start, end, facts that are right, facts; None of a refusal.

    What is not about the person has no label, and is left out; so is what does not stand in the answer.
    """
    if answered["annotations"] is None:
        return None
    text = said(answered)
    spans = []
    begin = 0
    for one in answered["annotations"]:
        words = [re.escape(word) for word in one["text"].split()]
        place = re.compile(r"\s+".join(words)).search(text, begin) or re.search(r"\s+".join(words), text)
        labels = [fact["label"] for fact in one.get("human-atomic-facts") or () if fact["label"] != "IR"]
        if place and labels:
            spans.append([*place.span(), labels.count("S"), len(labels)])
            begin = place.end()
    return spans


STUDIES: dict[str, Callable[[str | Path], list[Row]]] = {
    "dlm_uncertainty": from_dlm_uncertainty,
    "wang2025": from_wang2025,
    "factscore": from_factscore,
}


def read(study: str, path: str | Path) -> list[Row]:
    """Return the rows of a study's file, one a question."""
    return by_question(STUDIES[study](path), path)


def main() -> None:
    """Write the files that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m studies.published", description=__doc__.splitlines()[0])
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument("path", metavar="FILE")
    parser.add_argument("--samples", required=True)
    parser.add_argument("--questions")
    options = parser.parse_args()
    rows = read(options.study, options.path)
    precomputed.write(precomputed.samples_of(rows, options.path), options.samples)
    if options.questions:
        precomputed.write(precomputed.questions_of(rows, options.path), options.questions)


if __name__ == "__main__":
    main()
