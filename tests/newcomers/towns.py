"""A published dataset that a newcomer adds: ralc/datasets/published/towns.py."""

from pathlib import Path

import pandas as pd

from ralc.datasets.questions import questions_table
from ralc.io.files import Source

TITLE = "Towns"
SIZE = (3, "short_answer")
LICENCE = "CC0-1.0"
SOURCES = (Source("https://example.org/towns.txt", "0" * 64),)


def load(path: str | Path, dataset: str = "towns") -> pd.DataFrame:
    """Return a question a line, ``country: town``."""
    rows = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        country, town = line.split(": ")
        question = f"What is the capital of {country}?"
        row = {"question_id": f"{dataset}-{country}", "format": "short_answer", "question": question}
        rows.append(row | {"accepted": [town], "subject": "capital"})
    return questions_table(rows, dataset)
