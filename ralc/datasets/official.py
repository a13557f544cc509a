"""The paper's datasets from their official files: MMLU, SQuAD 2.0, TruthfulQA."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd

from ralc.datasets.questions import questions_table
from ralc.io.rows import cells_of, read_rows
from ralc.io.text import json_value, placed, read_text


def load_mmlu(path: str | Path, dataset: str = "mmlu") -> pd.DataFrame:
    """Return the questions of a folder of MMLU files, one CSV a subject (or of one such file), gzipped or not.

    Both published forms are read: with the header ``question,choice0,...,answer`` and answers 0-3, and
    without a header and with answers A-D. Files in alphabetical order, rows in file order; ids carry subject
    and row, so that the questions that repeat stay apart.

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
    return _table(folder, (row for file in files for row in _mmlu_rows(file)), dataset)


def _table(path: Path, rows: Iterable[dict[str, Any]], dataset: str) -> pd.DataFrame:
    """The questions table of rows; a fault names the path."""
    with placed(str(path)):
        return questions_table(rows, dataset)


def _mmlu_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The questions of one subject, as texts: pandas reads the choice ``None`` as missing."""
    subject = re.sub(r"(_test|_dev|_val)?\.csv(\.gz)?$", "", path.name)
    rows = list(cells_of(read_text(path), path))
    first = [cell.strip() for cell in rows[0][1]]
    header = first[0] == "question"
    if header and len(set(first)) < len(first):
        raise ValueError(f"{path}, line {rows[0][0]}: a column stands twice: {', '.join(first)}; keep one")
    for number, (line, cells) in enumerate(rows[header:]):
        where = f"{path}, line {line}"
        if len(cells) != 6:
            raise ValueError(f"{where}: {len(cells)} columns, not question, four choices and answer")
        if not all(cell.strip() for cell in cells[:5]):
            raise ValueError(f"{where}: the question or a choice is empty")
        choice = _mmlu_answer(cells[5], where)
        yield {
            "question_id": f"mmlu-{subject}-{number:04d}",
            "format": "multiple_choice",
            "question": cells[0].strip(),
            "choices": cells[1:5],
            "accepted": [cells[1 + choice]],
            "wrong": [text for place, text in enumerate(cells[1:5]) if place != choice],
            "correct_choice": choice,
            "subject": subject,
        }


def _mmlu_answer(cell: str, where: str) -> int:
    """The index of the right choice, from 0-3 or A-D."""
    cell = cell.strip()
    if len(cell) == 1 and cell in "0123":
        return int(cell)
    if len(cell) == 1 and cell in "ABCD":
        return "ABCD".index(cell)
    raise ValueError(f"{where}, column 'answer': {cell!r:.80} is not 0-3 or A-D")


def load_squad2(path: str | Path, dataset: str = "squad2") -> pd.DataFrame:
    """Return the questions of a SQuAD 2.0 file (official schema, gzipped or not), in file order.

    Unanswerable questions accept nothing; their plausible but wrong answers are known wrong answers. The
    article is the group, since questions on one article are alike.

    Raises
    ------
    ValueError
        If the file cannot be read as text, or is not of that schema.
    """
    path, schema, rows = Path(path), "not of the SQuAD 2.0 schema", []
    with placed(str(path), schema):
        articles = list(json_value(read_text(path), str(path))["data"])
    for number, article in enumerate(articles, 1):
        with placed(f"{path}, article {number}", schema):
            rows += _squad_rows(article)
    return _table(path, rows, dataset)


def _squad_rows(article: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The questions on one article."""
    title = unquote(article["title"]).replace("_", " ")
    for paragraph in article["paragraphs"]:
        for item in paragraph["qas"]:
            if not isinstance(item["is_impossible"], bool):
                raise TypeError(f"is_impossible = {item['is_impossible']!r:.80} is not true or false")
            answerable = not item["is_impossible"]
            texts = _distinct(answer["text"] for answer in item["answers"])
            plausible = _distinct(answer["text"] for answer in item.get("plausible_answers", ()))
            yield {
                "question_id": f"squad2-{item['id']}",
                "format": "reading_comprehension",
                "question": item["question"].strip(),
                "context": paragraph["context"].strip(),
                "title": title,
                "accepted": texts if answerable else [],
                "wrong": [] if answerable else plausible,
                "subject": "none",
                "answerable": answerable,
                "group": article["title"],
            }


def load_truthfulqa(path: str | Path, dataset: str = "truthfulqa") -> pd.DataFrame:
    """Return the questions of ``TruthfulQA.csv``, in file order (with or without BOM, LF or CRLF, gzipped or not).

    All correct answers are accepted, the best first; incorrect answers are known wrong.

    Raises
    ------
    ValueError
        If the file cannot be read as text, or a row or a column is not as it should be; naming file and line.
    """
    path = Path(path)
    rows = [row.cells for row in read_rows(path, "csv")]
    needed = ("Category", "Question", "Best Answer", "Correct Answers", "Incorrect Answers")
    missing = [column for column in needed if not rows or rows[0].get(column) is None]
    if missing:
        raise ValueError(f"{path}: column {missing[0]!r} is missing")
    return _table(
        path,
        (
            {
                "question_id": f"truthfulqa-{number:04d}",
                "format": "short_answer",
                "question": row["Question"].strip(),
                "accepted": _distinct([row["Best Answer"], *row["Correct Answers"].split(";")]),
                "wrong": _distinct(row["Incorrect Answers"].split(";")),
                "subject": row["Category"].strip(),
            }
            for number, row in enumerate(rows)
        ),
        dataset,
    )


def _distinct(texts: Any) -> list[str]:
    """The texts without padding, empty ones and repeats, in their order."""
    return list(dict.fromkeys(text.strip() for text in texts if text.strip()))
