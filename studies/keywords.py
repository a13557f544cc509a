"""Our evaluators beside lists of keywords, on the phrases that people were asked about.

    python -m studies.keywords

prints two tables in Markdown, from the committed rows. The first has what people and evaluators read in each phrase,
and what lists say of it. That is the middle of an entry's range, of two ranges the mean of their middles. The second
has the mean absolute errors by study. What was made from a study is no news there, and in italics.

    python -m studies.keywords --data DIR --map score_hedge_map.csv

prints, below them, how RLMF's whole list does on the 1,622 sentences that people scored. Its file is at the address
that ``keyword_lists.csv`` names. A sentence is read as its longest entry says.
"""

import argparse
import ast
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ralc import evaluators
from ralc.human_benchmark.benchmark import PHRASE_STUDIES, load_committed
from ralc.human_benchmark.studies import read_benchmark
from studies import study_folder
from studies.refits import LEFT_OUT

LISTS = Path(__file__).parent / "keyword_lists.csv"
NAMES = {
    "cue_model": "`cue_model`",
    "cue_model_b": "`cue_model_b`",
    "embedding_regression": "`embedding_regression`",
    "rlmf": "RLMF's list",
    "icd203": "ICD 203",
}
#: The studies that each was made from.
MADE_FROM = {
    "cue_model": {"capphrase"},
    "cue_model_b": {"wadefagen", "zonination"},
    "embedding_regression": {"wadefagen", "zonination"},
    "rlmf": {"wadefagen"},
    "icd203": set(),
}


def listed(path: Path = LISTS) -> pd.DataFrame:
    """Return what lists say: ``list, phrase, entry, mean``; the phrase is null where people were not asked.

    Raises
    ------
    ValueError
        If a range is none within [0, 1].
    """
    table = pd.read_csv(path, comment="#")
    if not ((table["low"] >= 0) & (table["low"] < table["high"]) & (table["high"] <= 1)).all():
        raise ValueError(f"{path}: low must be below high, both in [0, 1]")
    table["mean"] = (table["low"] + table["high"]) / 2
    return table.groupby(["list", "phrase", "entry"], dropna=False)["mean"].mean().reset_index()


def compared(points: pd.DataFrame, said: pd.DataFrame) -> pd.DataFrame:
    """Return a row a study and phrase: ``dataset, item, human``, then the mean by each of `NAMES`, else null."""
    means = points[(points["quantity"] == "mean") & points["dataset"].isin(PHRASE_STUDIES)]
    table = means.pivot_table(index=["dataset", "item", "human"], columns="evaluator", values="read")
    lists = said.dropna(subset="phrase").pivot_table(index="phrase", columns="list", values="mean")
    return table.reset_index().join(lists, on="item")[["dataset", "item", "human", *NAMES]]


def errors(table: pd.DataFrame) -> pd.DataFrame:
    """Return mean absolute error by study, and the number of phrases: ``dataset, by, value, n``.

    >>> one = dict.fromkeys(NAMES, [0.5, None])
    >>> table = pd.DataFrame({"dataset": "a", "item": ["x", "y"], "human": [0.4, 0.1], **one})
    >>> errors(table).to_dict("records")[0]
    {'dataset': 'a', 'by': 'cue_model', 'value': 0.1, 'n': 1}
    """
    long = table.melt(["dataset", "item", "human"], list(NAMES), "by", "mean").dropna()
    apart = long.assign(value=(long["mean"] - long["human"]).abs().round(9))
    return apart.groupby(["dataset", "by"], sort=False)["value"].agg(value="mean", n="size").reset_index()


def of_phrases(table: pd.DataFrame, said: pd.DataFrame) -> str:
    """Return the phrases from surest to least sure, each by the largest study that asked; then entries of no study."""
    order = {study: place for place, study in enumerate(PHRASE_STUDIES)}
    rows = table.assign(order=table["dataset"].map(order)).sort_values("order").drop_duplicates("item")
    lines = [
        [
            f"{row['item']}{'¹²'[row['order'] - 1] if row['order'] else ''}",
            *map(_number, row[["human", *NAMES]]),
        ]
        for _, row in rows.sort_values("human", ascending=False).iterrows()
    ]
    for _, row in said[said["phrase"].isna()].sort_values("mean", ascending=False).iterrows():
        texts = [f"{row['entry'][0].upper()}{row['entry'][1:]}."]
        ours = [float(evaluators.load(name).read(texts).mean[0]) for name in ("cue_model", "cue_model_b")]
        lines.append([f'"{row["entry"]}"', "", *map(_number, ours), "", _number(row["mean"]), ""])
    return _markdown(["phrase", "people", *NAMES.values()], lines)


def of_errors(found: pd.DataFrame, left_out: pd.DataFrame) -> str:
    """Return errors by study, with the number of phrases; in italics where one was made from that study."""
    (apart,) = left_out[(left_out["dataset"] == LEFT_OUT) & (left_out["metric"] == "mean_error")].itertuples()
    cells = {
        (row.by, row.dataset): f"{_number(row.value, 3)} ({row.n})" for row in found.itertuples(index=False)
    }
    lines = [
        [
            name,
            *(
                f"*{cells[by, study]}*" if study in MADE_FROM[by] else cells[by, study]
                for study in PHRASE_STUDIES
            ),
        ]
        for by, name in NAMES.items()
    ]
    lines.insert(
        1, ["`cue_model`, fitted without the phrase", f"{_number(apart.value, 3)} ({apart.n})", "", ""]
    )
    return _markdown(
        ["mean absolute error (phrases)", "CAPphrase", "Fagen-Ulmschneider", "zonination"], lines
    )


def look_up(texts: Sequence[str], entries: pd.Series) -> NDArray[np.float64]:
    """Return what a list says of texts: the mean of each one's longest entry (its index), NaN where there is none.

    >>> look_up(["It’s probably not so.", "It is so."], pd.Series({"probably": 0.7, "probably not": 0.2}))
    array([0.2, nan])
    """
    longest_first = sorted(entries.index, key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w'])(?:{'|'.join(map(re.escape, longest_first))})(?![\w'])")
    matches = [pattern.findall(text.lower().replace("’", "'")) for text in texts]
    return np.array([entries[max(names, key=len)] if names else np.nan for names in matches])


def of_sentences(folder: Path, path: Path) -> str:
    """Return how RLMF's whole list does on scored sentences, beside our evaluators on those that it finds."""
    ranges = pd.read_csv(path)
    entries = ranges.assign(entry=ranges["markers"].map(ast.literal_eval)).explode("entry")
    middle = (entries["range_start"] + entries["range_end"]) / 2
    benchmark = read_benchmark(folder)
    scores = look_up(benchmark["text"], middle.groupby(entries["entry"].str.lower()).mean())
    scored, human = np.isfinite(scores), benchmark["score"].to_numpy()
    read = {
        name: evaluators.load(name).read(list(benchmark["text"])).mean
        for name in ("cue_model", "cue_model_b")
    }
    lines = [
        [
            NAMES[name],
            _number(np.abs(mean - human)[scored].mean(), 3),
            _number(np.corrcoef(mean[scored], human[scored])[0, 1], 3),
        ]
        for name, mean in {**read, "rlmf": scores}.items()
    ]
    return _markdown(
        [f"{scored.sum():,} of {len(scored):,} sentences", "mean absolute error", "Pearson"], lines
    )


def _number(value: float, digits: int = 2) -> str:
    return "" if pd.isna(value) else f"{value:.{digits}f}".removeprefix("0")


def _markdown(head: list[str], lines: list[list[str]]) -> str:
    rule = "|".join(["---", *["--:"] * (len(head) - 1)])
    return "\n".join([f"| {' | '.join(head)} |", f"|{rule}|", *(f"| {' | '.join(line)} |" for line in lines)])


def tables() -> str:
    """Return both tables, from the committed rows."""
    phrases = listed()
    table = compared(load_committed("human_benchmark_points"), phrases)
    return f"{of_phrases(table, phrases)}\n\n{of_errors(errors(table), load_committed('refits'))}"


def main() -> None:
    """Print the tables, and with ``--data`` the whole list on the scored sentences."""
    parser = argparse.ArgumentParser(prog="python -m studies.keywords", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=study_folder, help="the folder of the studies")
    parser.add_argument("--map", type=Path, help="RLMF's score_hedge_map.csv")
    asked = parser.parse_args()
    if (asked.data is None) != (asked.map is None):
        parser.error("--data and --map go together")
    print(tables())
    if asked.data:
        print(f"\n{of_sentences(asked.data, asked.map)}")


if __name__ == "__main__":
    main()
