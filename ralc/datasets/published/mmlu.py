"""MMLU (Hendrycks et al. 2021): 14,042 multiple-choice questions of 57 subjects."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd

from ralc.datasets.questions import questions_table
from ralc.io.files import Source
from ralc.io.rows import located, read_rows, read_text

TITLE = "MMLU"
SIZE = (14_042, "multiple_choice")
LICENCE = "MIT"
#: As many projects pin it; the file of this checksum lies in the dataset cais/mmlu on the Hugging Face hub, too. The 57
#: files in its folder have no header.
SOURCES = (
    Source(
        "https://people.eecs.berkeley.edu/~hendrycks/data.tar",
        "bec563ba4bac1d6aaf04141cd7d1605d7a5ca833e38f994051e818489592989b",
    ),
)
FOLDER = "data/test"


def load(path: str | Path, dataset: str = "mmlu") -> pd.DataFrame:
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
    counts: Counter[str] = Counter()
    with located(str(folder), "not of MMLU's schema"):
        return questions_table((_question(row, counts) for row in rows), dataset)


def _question(row: dict[str, Any], counts: Counter[str]) -> dict[str, Any]:
    """Return a question of MMLU, with its number within the subject as a part of the id."""
    subject = row["subject"]
    choices = list(row["choices"])
    correct = row["answer"]
    counts[subject] += 1
    return {
        "question_id": f"mmlu-{subject}-{counts[subject] - 1:04d}",
        "format": "multiple_choice",
        "question": row["question"].strip(),
        "choices": choices,
        "accepted": [choices[correct]],
        "wrong": [text for place, text in enumerate(choices) if place != correct],
        "correct_choice": correct,
        "subject": subject,
    }


def _mmlu_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a subject's CSV as texts: pandas reads the choice ``None`` as missing."""
    subject = re.sub(r"(_test|_dev|_val)?\.csv(\.gz)?$", "", path.name)
    reader = csv.reader(io.StringIO(read_text(path)))
    for cells in reader:
        where = f"{path}, line {reader.line_num}"
        if cells[:1] in ([], ["question"]):
            continue
        if len(cells) != 6:
            raise ValueError(f"{where}: {len(cells)} columns, not question, four choices and answer")
        if not all(cell.strip() for cell in cells[:5]):
            raise ValueError(f"{where}: the question or a choice is empty")
        answer = cells[5].strip()
        if len(answer) != 1 or answer not in "0123ABCD":
            raise ValueError(f"{where}, column 'answer': {answer!r:.80} is not 0-3 or A-D")
        correct = "0123ABCD".index(answer) % 4
        yield {"question": cells[0], "choices": cells[1:5], "answer": correct, "subject": subject}
