"""The files of published datasets as their authors and the hub have them, and files of questions of one's own."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd

from ralc.datasets.questions import questions_table
from ralc.io.row_models import QuestionRow, read_models
from ralc.io.rows import Fault, FaultsError, Row, cells_of, read_rows
from ralc.io.text import json_value, placed, read_text
from ralc.registry import LONG

#: Names of FActScore's files: the models whose answers were labelled.
FACTSCORE_MODELS = ("ChatGPT", "InstructGPT", "PerplexityAI")


def load_file(path: str | Path, dataset: str) -> pd.DataFrame:
    """Return the questions of a file of the user's own: a row a question (`ralc.io.row_models.QuestionRow`).

    ``.jsonl`` (an object a line), ``.csv`` or ``.tsv`` (a header; cells apart by comma, semicolon or tab),
    ``.parquet``, or ``.json`` of SQuAD's schema. The hub's parquet files of MMLU, SQuAD, TruthfulQA, TriviaQA, ARC
    and others of their shape are read as they are, and so is SimpleQA's CSV. Needed are ``question`` and ``accepted``
    (a list; in a cell values joined by ``|``, or a JSON list); for multiple choice ``choices``, with
    ``correct_choice`` (counted from 0, a letter, or the choice's text) or an accepted answer that is one of them;
    nothing accepted where ``answerable`` is false, or ``format`` is ``long_answer``.

    Raises
    ------
    ValueError
        Naming file, line and column of every fault.
    """
    if ".json" in Path(path).suffixes:
        return load_squad2(path, dataset)
    found = read_models(path, QuestionRow)
    ids = Counter(row.question_id for _, row in found if row.question_id)
    repeats = [
        Fault(at, f"{at.where}, column 'question_id': {row.question_id!r} stands twice")
        for at, row in found
        if row.question_id and ids[row.question_id] > 1
    ]
    if repeats:
        raise FaultsError(repeats[1:])
    rows = [
        {"question_id": f"{dataset}-{at.line:05d}", "subject": dataset, "format": _format(row)} | _filled(row)
        for at, row in found
    ]
    return _table(path, rows, dataset)


def _filled(row: QuestionRow) -> dict[str, Any]:
    """Return the columns of a question that hold something, tuples as lists."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in row.model_dump(exclude_unset=True).items()
        if value is not None
    }


def _format(row: QuestionRow) -> str:
    """Return the format that the columns of a question imply."""
    if row.choices:
        return "multiple_choice"
    return "reading_comprehension" if row.context is not None else "short_answer"


def _table(path: str | Path, rows: Iterable[dict[str, Any]], dataset: str) -> pd.DataFrame:
    """Return the questions table of rows; a fault names the path."""
    with placed(str(path)):
        return questions_table(rows, dataset)


def load_mmlu(path: str | Path, dataset: str = "mmlu") -> pd.DataFrame:
    """Return the questions of a folder of MMLU files, one CSV a subject, of one such file, or of the hub's parquet.

    CSV files have a header ``question,choice0,...,answer`` and answers 0-3, or none and answers A-D. Files in
    alphabetical order, rows in file order; ids carry subject and row, so that questions that repeat stay apart.

    Raises
    ------
    ValueError
        Naming file and line where a row is not a question with four choices and an answer.
    """
    folder = Path(path)
    files = [folder] if folder.is_file() else sorted([*folder.glob("*.csv"), *folder.glob("*.csv.gz")])
    if not files:
        hint = f"; give its folder {folder / 'test'}" if (folder / "test").is_dir() else ""
        raise ValueError(f"{folder}: no MMLU files (*.csv, *.csv.gz) here{hint}")
    if folder.suffix == ".parquet":
        rows = (row.cells for row in read_rows(folder))
    else:
        rows = chain.from_iterable(map(_mmlu_rows, files))
    with placed(str(folder), "not of MMLU's schema"):
        return questions_table(_numbered(rows), dataset)


def _numbered(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield MMLU's questions, with their number within the subject as a part of the id."""
    counts: Counter[str] = Counter()
    for row in rows:
        subject, choices, correct = row["subject"], list(row["choices"]), row["answer"]
        yield {
            "question_id": f"mmlu-{subject}-{counts[subject]:04d}",
            "format": "multiple_choice",
            "question": row["question"].strip(),
            "choices": choices,
            "accepted": [choices[correct]],
            "wrong": [text for place, text in enumerate(choices) if place != correct],
            "correct_choice": correct,
            "subject": subject,
        }
        counts[subject] += 1


def _mmlu_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a subject's CSV as texts: pandas reads the choice ``None`` as missing."""
    subject = re.sub(r"(_test|_dev|_val)?\.csv(\.gz)?$", "", path.name)
    rows = list(cells_of(read_text(path), path))
    header = rows[0][1][0].strip() == "question"
    for line, cells in rows[header:]:
        where = f"{path}, line {line}"
        if len(cells) != 6:
            raise ValueError(f"{where}: {len(cells)} columns, not question, four choices and answer")
        if not all(cell.strip() for cell in cells[:5]):
            raise ValueError(f"{where}: the question or a choice is empty")
        answer = cells[5].strip()
        if len(answer) != 1 or answer not in "0123ABCD":
            raise ValueError(f"{where}, column 'answer': {answer!r:.80} is not 0-3 or A-D")
        correct = "0123ABCD".index(answer) % 4
        yield {"question": cells[0], "choices": cells[1:5], "answer": correct, "subject": subject}


def load_squad2(path: str | Path, dataset: str = "squad2") -> pd.DataFrame:
    """Return the questions of a SQuAD file (2.0 or 1.1, official schema, gzipped or not, or the hub's parquet).

    Unanswerable questions accept nothing; their plausible but wrong answers are known wrong answers. The article is
    the group, since questions on one article are alike. Those of 1.1 are all answerable.

    Raises
    ------
    ValueError
        If the file cannot be read as text, or is not of that schema.
    """
    path, schema = Path(path), "not of the SQuAD 2.0 schema"
    if path.suffix == ".parquet":
        with placed(str(path), schema):
            return questions_table([_hub_squad(row.cells) for row in read_rows(path)], dataset)
    rows: list[dict[str, Any]] = []
    with placed(str(path), schema):
        articles = list(json_value(read_text(path), str(path))["data"])
    for number, article in enumerate(articles, 1):
        with placed(f"{path}, article {number}", schema):
            for paragraph in article["paragraphs"]:
                rows += [
                    _squad_row(article["title"], paragraph["context"], item) for item in paragraph["qas"]
                ]
    return _table(path, rows, dataset)


def _hub_squad(row: dict[str, Any]) -> dict[str, Any]:
    """Return a question of the hub's table, whose unanswerable ones have no answer."""
    answers = [{"text": text} for text in row["answers"]["text"]]
    return _squad_row(row["title"], row["context"], row | {"answers": answers, "is_impossible": not answers})


def _squad_row(title: str, context: str, item: dict[str, Any]) -> dict[str, Any]:
    """Return a question of SQuAD's schema."""
    impossible = item.get("is_impossible", False)
    if not isinstance(impossible, bool):
        raise TypeError(f"is_impossible = {impossible!r:.80} is not true or false")
    plausible = _distinct(answer["text"] for answer in item.get("plausible_answers", ()))
    return {
        "question_id": f"squad2-{item['id']}",
        "format": "reading_comprehension",
        "question": item["question"].strip(),
        "context": context.strip(),
        "title": unquote(title).replace("_", " "),
        "accepted": [] if impossible else _distinct(answer["text"] for answer in item["answers"]),
        "wrong": plausible if impossible else [],
        "subject": "none",
        "answerable": not impossible,
        "group": title,
    }


def load_truthfulqa(path: str | Path, dataset: str = "truthfulqa") -> pd.DataFrame:
    """Return the questions of ``TruthfulQA.csv`` or of the hub's parquet file, in file order.

    All correct answers are accepted, the best first; incorrect answers are known wrong.

    Raises
    ------
    ValueError
        If the file cannot be read as text, or a row or a column is not as it should be; naming file and line.
    """
    rows = read_rows(path, "parquet" if Path(path).suffix == ".parquet" else "csv")
    return _table(path, map(_truthful_row, rows, range(len(rows))), dataset)


def _truthful_row(row: Row, number: int) -> dict[str, Any]:
    """Return a question of TruthfulQA; the authors' file joins answers by semicolons."""
    cells = {name.lower().replace(" ", "_"): value for name, value in row.cells.items()}
    with placed(row.where, "not of TruthfulQA's schema"):
        right, wrong = (
            cells[name].split(";") if isinstance(cells[name], str) else cells[name]
            for name in ("correct_answers", "incorrect_answers")
        )
        return {
            "question_id": f"truthfulqa-{number:04d}",
            "format": "short_answer",
            "question": cells["question"].strip(),
            "accepted": _distinct([cells["best_answer"], *right]),
            "wrong": _distinct(wrong),
            "subject": cells["category"].strip(),
        }


def _distinct(texts: Iterable[str]) -> list[str]:
    """Return the texts without padding, empty ones and repeats, in their order."""
    return list(dict.fromkeys(text.strip() for text in texts if text.strip()))


def load_factscore(path: str | Path, dataset: str = "factscore", draw: str = "development") -> pd.DataFrame:
    """Return the questions of a folder of FActScore's labelled answers (``ChatGPT.jsonl`` and so on, gzipped or not).

    One a person, about whom all models were asked; the subject is how often he is written about. `draw` is a half of
    the people, ``development`` or ``confirming``: of each subject and part of the world every other one, in the order
    of the file.

    Raises
    ------
    ValueError
        If a file is missing or not of that schema, naming file and line.
    """
    seen: Counter[str] = Counter()
    rows = []
    for row in factscore_answers(path, FACTSCORE_MODELS[0]):
        stratum = "/".join(row.cells["cat"])
        if seen[stratum] % 2 == (draw != "development"):
            name = "-".join(re.findall(r"\w+", row.cells["topic"].casefold()))
            asked = row.cells["input"].removeprefix("Question: ")
            known = {"question_id": f"factscore-{name}", "format": LONG, "question": asked}
            rows.append(known | {"subject": row.cells["cat"][0]})
        seen[stratum] += 1
    return questions_table(rows, dataset)


def factscore_answers(path: str | Path, model: str) -> Iterator[Row]:
    """Yield what a model of `FACTSCORE_MODELS` answered, a row a person."""
    files = [Path(path, f"{model}.jsonl{end}") for end in ("", ".gz")]
    file = next((one for one in files if one.exists()), None)
    if file is None:
        raise ValueError(
            f"{path}: no {model}.jsonl here; FActScore's labelled answers are {', '.join(FACTSCORE_MODELS)}"
        )
    for row in read_rows(file, "jsonl"):
        with placed(row.where, "not of FActScore's schema"):
            yield row._replace(cells={name: row.cells[name] for name in ("topic", "cat")} | row.cells)
