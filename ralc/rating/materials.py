"""What people rate: a run's questions, with its answers in several ways of speaking."""

from pathlib import Path

import pandas as pd

from ralc import io
from ralc.rating.design import WAYS
from ralc.results.select import in_domain, main_signal, plain, readers_of
from ralc.rewriting.bare import bare

#: What a person is shown of a question; without its choices and background nobody could say whether an answer is right.
_ASKED = ["question_id", "question", "choices", "context"]
_COLUMNS = [*_ASKED, "answer", "way", "text", "read", "correct"]


def of_run(folder: Path, target: str | None = None) -> pd.DataFrame:
    """Return the texts of a run's folder that people can compare, as `ralc.rating.design.Design` takes them.

    Graded right or wrong, read, hedged, and in every way of speaking that the run has; RALC's guided by the run's main
    signal, maps fitted in-domain. ``read`` is what the reader in the loop takes the text for. A sentence of a long
    answer is a question of its own, by the name of both, with the shared hedge that speaks for it in front; one of
    whose facts some are right and some are wrong is none.

    Raises
    ------
    ValueError
        If the folder holds no run, the target is not in it, or no question has an answer in two ways.
    """
    paths = sorted((folder / "questions").glob("*.parquet"))
    if not paths or not (folder / "items.parquet").is_file():
        raise ValueError(f"{folder}: holds no run: items.parquet and questions/ are made by snakemake")
    questions = io.read_tables([str(path) for path in paths], "questions")
    items = io.read_table(folder / "items.parquet", "items")
    targets = items["target"].unique().tolist()
    if (target or targets[0]) not in targets:
        raise ValueError(f"{folder}: no target {target!r}: choose one of {', '.join(targets)}")
    rows = in_domain(plain(items, space="linguistic", reader=readers_of(items)[0]))
    rows = rows[(rows["target"] == (target or targets[0])) & rows["method"].isin(WAYS)]
    rows = rows[rows["signal"].isin(["none", main_signal(items)])].dropna(subset=["alpha", "text"])
    rows = rows[rows["outcome"].isin((0, 1))]
    rows = rows.assign(
        read=rows["alpha"] / (rows["alpha"] + rows["beta"]), correct=rows["outcome"].astype(int)
    )
    rows = rows.rename(columns={"method": "way"}).merge(questions[_ASKED].fillna({"context": ""}))
    return _complete(_by_sentence(rows))


def _by_sentence(rows: pd.DataFrame) -> pd.DataFrame:
    """Each sentence of a long answer with a name of its own, behind the shared hedge that speaks for it."""
    several = rows.groupby("question_id")["sentence"].transform("nunique") > 1
    names = rows["question_id"] + "/" + rows["sentence"].astype(str)
    said = rows["text"].where(rows["shared"].isna(), rows["shared"] + " " + rows["text"])
    return rows.assign(question_id=rows["question_id"].where(~several, names), text=said)


def _complete(rows: pd.DataFrame) -> pd.DataFrame:
    """The questions that are there in every way, hedged where it hedges; beside each the answer without a hedge."""
    passed = rows.loc[(rows["way"] == "ralc") & (rows["origin"] == "passed"), "question_id"]
    rows = rows[~rows["question_id"].isin(passed)]
    ways = [way for way in WAYS if (rows["way"] == way).any()]
    plain_words = rows[rows["way"] == "original"].set_index("question_id")["text"]
    rows = rows.assign(answer=rows["question_id"].map(plain_words.map(lambda text: bare(text) or text)))
    counts = rows.groupby("question_id")["way"].nunique()
    whole = rows[rows["question_id"].isin(counts[counts == len(ways)].index)].dropna(subset=["answer"])
    if len(ways) < 2 or whole.empty:
        raise ValueError(
            "no question has a graded answer in two ways of speaking (original, ralc, constant_hedge)"
        )
    return whole[_COLUMNS].reset_index(drop=True)
