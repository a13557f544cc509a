"""TruthfulQA (Lin et al. 2022): 817 questions that people answer wrongly."""

from pathlib import Path
from typing import Any

import pandas as pd

from ralc.datasets.questions import distinct, questions_table
from ralc.datasets.user_dataset import QuestionRow
from ralc.io.files import Source
from ralc.io.rows import located

TITLE = "TruthfulQA"
SIZE = (817, "short_answer")
LICENCE = "Apache-2.0"
#: The authors edit their file in place: this is the commit that `datasets/truthful_qa` of huggingface/datasets pins.
SOURCES = (
    Source(
        "https://raw.githubusercontent.com/sylinrl/TruthfulQA/013686a06be7a7bde5bf8223943e106c7250123c/TruthfulQA.csv",
        "8d7dd15f033196140f032d97d30f037da7a7b1192c3f36f9937c1850925335a2",
    ),
)


def load(path: str | Path, dataset: str = "truthfulqa") -> pd.DataFrame:
    """Return the questions of ``TruthfulQA.csv`` or of the hub's parquet file, in file order.

    All correct answers are accepted, the best first; incorrect answers are known wrong.

    Raises
    ------
    ValueError
        If the file cannot be read as text, or a row or a column is not as it should be; naming file and line.
    """
    with located(str(path), "not of TruthfulQA's schema"):
        rows = [row for _, row in QuestionRow.read(path, key=lambda row: None)]
    return questions_table(map(_truthful_row, rows, range(len(rows))), dataset)


def _truthful_row(row: QuestionRow, number: int) -> dict[str, Any]:
    return {
        "question_id": f"truthfulqa-{number:04d}",
        "format": "short_answer",
        "question": row.question,
        "accepted": distinct(row.accepted),
        "wrong": distinct(row.wrong),
        "subject": row.subject,
    }
