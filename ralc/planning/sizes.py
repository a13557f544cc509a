"""How much there is to ask about: questions, hedges, and what the journals have already."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ralc import io
from ralc.config import Config
from ralc.llm.journal import Journal
from ralc.llm.shards import Shard
from ralc.signals.stopping import ERROR, majority_error

#: Questions of the official files, and their format.
OFFICIAL = {
    "mmlu": (14_042, "multiple_choice"),
    "squad2": (11_873, "reading_comprehension"),
    "truthfulqa": (817, "short_answer"),
}


class Size(NamedTuple):
    """Questions of a dataset."""

    train: int
    test: int
    format: str


def sizes(config: Config) -> dict[str, Size]:
    """Return the sizes of a run's datasets; only a file of the user's own, or a built-in dataset, is looked at."""
    found = {}
    for name in config.run.datasets:
        count, form = _counted(config, name)
        # As in `ralc.datasets.split`.
        train = math.ceil(config.split.train * count - 1e-9)
        found[name] = Size(train, count - train, form)
    return found


def _counted(config: Config, name: str) -> tuple[int, str]:
    """Number and format of a dataset's questions."""
    entry = config.datasets[name]
    if (entry.format or name) in OFFICIAL:
        count, form = OFFICIAL[entry.format or name]
        return entry.questions or count, form
    from ralc.datasets import load

    questions = load(name, entry.model_dump(mode="json"), config.seed)
    return len(questions), questions["format"].mode()[0]


def lexicon_size(config: Config) -> int:
    """Return the number of hedges in the lexicon; where models propose them, as many as the committed list has."""
    from ralc.lexicon import load_hedges

    return len(load_hedges(config.lexicon.path, extend=config.lexicon.extend))


def expected(config: Config) -> dict[str, float]:
    """Return how many answers a question each target will take that is asked in rounds, where an earlier run tells.

    As many as its answers would have taken, by their clusters in the run's place; a question whose majority they do not
    settle takes all. Targets without such answers are left out.
    """
    rounds, found = config.sampling.rounds, {}
    for target in config.run.targets if rounds else ():
        path = Path(config.outdir) / "clusters" / f"{target}.parquet"
        if path.exists():
            of = io.read_table(path, "clusters").sort_values("sample").groupby("question_id")["cluster"]
            found[target] = float(of.agg(_taken, rounds, config.sampling.answers).mean())
    return found


def _taken(clusters: pd.Series, rounds: list[int], most: int) -> int:
    """The answers after which a majority is settled, or the most that there may be."""
    known = (n for n in rounds if n <= len(clusters))
    return next((n for n in known if majority_error(clusters.tolist()[:n]) <= ERROR), most)


def answered(config: Config) -> dict[tuple[str, str], int]:
    """Return how many answers the journals, a record's or the run's, have of each stage and model, in all shards."""
    found: dict[tuple[str, str], int] = {}
    for place, path in _journals(config):
        with Journal(path, write=False) as journal:
            found[place] = found.get(place, 0) + sum(len(journal.numbers(key)) for key in journal)
    return found


def unanswered(config: Config) -> int | None:
    """Return how many answers to the run's own tables of requests its journals lack; None where a table is not there.

    A finished run has all of them: what a plan counts beyond that are equal requests, or such as were not needed.
    """
    missing = 0
    for stage in config.stages().values():
        for model in stage.models:
            path = Path(config.outdir) / stage.requests(model)
            if not path.exists():
                return None
            requests = pd.read_parquet(path, columns=["key", "n"]).drop_duplicates("key")
            wanted = dict(zip(requests["key"], requests["n"], strict=True))
            missing += sum(wanted.values())
            for place, journal_path in _journals(config):
                if place == (stage.name, model):
                    with Journal(journal_path, write=False) as journal:
                        missing -= sum(min(wanted.get(key, 0), len(journal.numbers(key))) for key in journal)
    return missing


def _journals(config: Config) -> Iterator[tuple[tuple[str, str], Path]]:
    """The journals, a record's or the run's, each with its stage and model."""
    for path in sorted(Path(config.journals or f"{config.outdir}/journal").glob("*/*.jsonl")):
        yield (path.parent.name, Shard.of_journal(path)[0]), path
