"""FActScore (Min et al. 2023): people to tell about, and the labelled biographies of three models."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from ralc.datasets.questions import questions_table
from ralc.io.files import Source
from ralc.io.rows import Row, located, read_rows
from ralc.registry import LONG

TITLE = "FActScore"
#: Of 183 people those of the draw ``development``, the larger half.
SIZE = (97, LONG)
LICENCE = "MIT"
_FOLDER = (
    "https://raw.githubusercontent.com/google-deepmind/long-form-factuality/9d27158d198ced0a9d8271a80147cae580614601/"
    "third_party/factscore/labeled_data"
)
#: The labelled answers in the copy under the MIT licence, and the checksums of that commit, by the model that answered.
_CHECKSUMS = {
    "ChatGPT": "b58fe7113acc28dee8d3e6ee7e426bfdedaa293bba270f0977f568b9319e92d4",
    "InstructGPT": "4ec1fa538a9f99606130c76db63d4af7f203ca460954a3edd7c4d0e385cd2d58",
    "PerplexityAI": "81ada151f2de8b7c205e3c15491e54b92d89bfb37b05366dca8b7a0486f109ff",
}
SOURCES = tuple(Source(f"{_FOLDER}/{model}.jsonl", digest) for model, digest in _CHECKSUMS.items())
MODELS = tuple(_CHECKSUMS)
DRAWS = ("development", "confirming")


def load(path: str | Path, dataset: str = "factscore", draw: str = "development") -> pd.DataFrame:
    """Return the questions of a folder of FActScore's labelled answers (``ChatGPT.jsonl`` and so on, gzipped or not).

    One a person, about whom all models were asked; the subject is how often he is written about. Rows keep the
    order of the file.

    Parameters
    ----------
    path
        The folder.
    dataset
        The name that the questions have in the results.
    draw
        A half of the people, ``development`` or ``confirming``: every other one of each subject and part of the world.

    Raises
    ------
    ValueError
        If a file is missing or not of that schema, naming file and line.
    """
    seen: Counter[str] = Counter()
    rows = []
    for row in answers_of(path, MODELS[0]):
        stratum = "/".join(row.cells["cat"])
        if seen[stratum] % 2 == (draw != "development"):
            name = "-".join(re.findall(r"\w+", row.cells["topic"].casefold()))
            topic = row.cells["input"].removeprefix("Question: ")
            common = {"question_id": f"factscore-{name}", "format": LONG, "question": topic}
            rows.append(common | {"subject": row.cells["cat"][0]})
        seen[stratum] += 1
    return questions_table(rows, dataset)


def answers_of(path: str | Path, model: str) -> Iterator[Row]:
    """Yield what a model of `MODELS` answered, a row a person."""
    files = [Path(path, f"{model}.jsonl{end}") for end in ("", ".gz")]
    file = next((path for path in files if path.exists()), None)
    if file is None:
        raise ValueError(f"{path}: no {model}.jsonl; labelled are {', '.join(MODELS)}")
    for row in read_rows(file, "jsonl"):
        with located(row.where, "not of FActScore's schema"):
            yield row._replace(cells={name: row.cells[name] for name in ("topic", "cat")} | row.cells)
