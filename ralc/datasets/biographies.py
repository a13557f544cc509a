"""FActScore's biographies (Min et al. 2023): questions that ask for a long answer, and what was answered.

Three models told the same 183 people's lives; people took the answers apart into facts, and looked each up.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from ralc.datasets.questions import questions_table
from ralc.io.rows import Row, read_rows
from ralc.io.text import placed
from ralc.names import LONG

#: The models whose answers were labelled, by the names of their files.
MODELS = ("ChatGPT", "InstructGPT", "PerplexityAI")
#: The marks by which an answer cites a source that is not there.
_CITED = re.compile(r"\[\d+\]")


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
    people = [row.cells for row in answers_of(path, MODELS[0])]
    rows = pd.DataFrame(
        {
            "question_id": [f"factscore-{_slug(one['topic'])}" for one in people],
            "format": LONG,
            "question": [asked(one) for one in people],
            "subject": [one["cat"][0] for one in people],
            "stratum": ["/".join(one["cat"]) for one in people],
        }
    )
    every_other = rows.groupby("stratum").cumcount() % 2
    half = rows[every_other == (0 if draw == "development" else 1)].drop(columns="stratum")
    return questions_table(half.to_dict("records"), dataset)


def answers_of(path: str | Path, model: str) -> Iterator[Row]:
    """Yield what a model answered, a row a person."""
    file = next(
        (one for one in (Path(path, f"{model}.jsonl"), Path(path, f"{model}.jsonl.gz")) if one.exists()), None
    )
    if file is None:
        raise ValueError(
            f"{path}: no {model}.jsonl here; FActScore's labelled answers are {', '.join(MODELS)}"
        )
    for row in read_rows(file, "jsonl"):
        with placed(row.where, "not of FActScore's schema"):
            yield row._replace(cells={name: row.cells[name] for name in ("topic", "cat")} | row.cells)


def asked(answered: dict[str, Any]) -> str:
    """The question that was answered."""
    return answered["input"].removeprefix("Question: ")


def said(answered: dict[str, Any]) -> str:
    """The answer, without marks of sources."""
    return _CITED.sub("", answered["output"]).strip()


def facts(answered: dict[str, Any]) -> list[list[int]] | None:
    """The stretches of an answer that people labelled: start, end, facts that are right, facts; None of a refusal.

    What is not about the person has no label, and is left out; so is what does not stand in the answer.
    """
    if answered["annotations"] is None:
        return None
    text, found, begin = said(answered), [], 0
    for one in answered["annotations"]:
        words = [re.escape(word) for word in one["text"].split()]
        place = re.compile(r"\s+".join(words)).search(text, begin) or re.search(r"\s+".join(words), text)
        labels = [fact["label"] for fact in one.get("human-atomic-facts") or () if fact["label"] != "IR"]
        if place and labels:
            found.append([*place.span(), labels.count("S"), len(labels)])
            begin = place.end()
    return found


def _slug(name: str) -> str:
    return "-".join(re.findall(r"\w+", name.casefold()))
