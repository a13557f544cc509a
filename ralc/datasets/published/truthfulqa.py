"""TruthfulQA (Lin et al. 2022): 817 questions that people answer wrongly."""

from pathlib import Path
from typing import Any

import pandas as pd

from ralc.datasets.questions import distinct, questions_table
from ralc.io.files import Source
from ralc.io.rows import Row, located, read_rows

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
    rows = read_rows(path, "parquet" if Path(path).suffix == ".parquet" else "csv")
    with located(str(path)):
        return questions_table(map(_truthful_row, rows, range(len(rows))), dataset)


def _truthful_row(row: Row, number: int) -> dict[str, Any]:
    """Return a question of TruthfulQA; the authors' file joins answers by semicolons."""
    cells = {name.lower().replace(" ", "_"): value for name, value in row.cells.items()}
    with located(row.where, "not of TruthfulQA's schema"):
        right, wrong = (
            cells[name].split(";") if isinstance(cells[name], str) else cells[name]
            for name in ("correct_answers", "incorrect_answers")
        )
        return {
            "question_id": f"truthfulqa-{number:04d}",
            "format": "short_answer",
            "question": cells["question"].strip(),
            "accepted": distinct([cells["best_answer"], *right]),
            "wrong": distinct(wrong),
            "subject": cells["category"].strip(),
        }
