"""SQuAD 2.0 (Rajpurkar et al. 2018): reading comprehension, half of it unanswerable; and SQuAD 1.1."""

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd
from pydantic_core import from_json

from ralc.datasets.questions import distinct, questions_table
from ralc.io.files import Source
from ralc.io.rows import located, read_rows, read_text

TITLE = "SQuAD 2.0"
SIZE = (11_873, "reading_comprehension")
LICENCE = "CC BY-SA 4.0"
#: As in `datasets/squad_v2` of huggingface/datasets and in many projects that pin it (4,370,528 bytes).
SOURCES = (
    Source(
        "https://rajpurkar.github.io/SQuAD-explorer/dataset/dev-v2.0.json",
        "80a5225e94905956a6446d296ca1093975c4d3b3260f1d6c8f68bc2ab77182d8",
    ),
)


def load(path: str | Path, dataset: str = "squad2") -> pd.DataFrame:
    """Return the questions of a SQuAD file (2.0 or 1.1, official schema, gzipped or not, or the hub's parquet).

    Unanswerable questions accept nothing; their plausible but wrong answers are known wrong answers. The article is
    the group, since questions on one article are alike. Those of 1.1 are all answerable.

    Raises
    ------
    ValueError
        If the file cannot be read as text, or is not of that schema.
    """
    path = Path(path)
    schema = "not of the SQuAD 2.0 schema"
    if path.suffix == ".parquet":
        with located(str(path), schema):
            return questions_table([_hub_squad(row.cells) for row in read_rows(path)], dataset)
    rows: list[dict[str, Any]] = []
    with located(str(path), schema):
        articles = list(from_json(read_text(path))["data"])
    for number, article in enumerate(articles, 1):
        with located(f"{path}, article {number}", schema):
            for paragraph in article["paragraphs"]:
                of = (article["title"], paragraph["context"])
                rows += [_squad_row(*of, item) for item in paragraph["qas"]]
    with located(str(path)):
        return questions_table(rows, dataset)


def _hub_squad(row: dict[str, Any]) -> dict[str, Any]:
    """Return a question of the hub's table, whose unanswerable ones have no answer."""
    answers = [{"text": text} for text in row["answers"]["text"]]
    return _squad_row(row["title"], row["context"], row | {"answers": answers, "is_impossible": not answers})


def _squad_row(title: str, context: str, item: dict[str, Any]) -> dict[str, Any]:
    impossible = item.get("is_impossible", False)
    if not isinstance(impossible, bool):
        raise TypeError(f"is_impossible = {impossible!r:.80} is not true or false")
    plausible = distinct(answer["text"] for answer in item.get("plausible_answers", ()))
    return {
        "question_id": f"squad2-{item['id']}",
        "format": "reading_comprehension",
        "question": item["question"].strip(),
        "context": context.strip(),
        "title": unquote(title).replace("_", " "),
        "accepted": [] if impossible else distinct(answer["text"] for answer in item["answers"]),
        "wrong": plausible if impossible else [],
        "subject": "none",
        "answerable": not impossible,
        "group": title,
    }
