"""The page of example answers: each in a few lines, before and after, with everything else folded."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.conditions import DEFAULT, NONE, UNIT
from ralc.registry import CORRECT, INCORRECT, PARTLY
from ralc.report.rendering import page
from ralc.results.filters import in_domain, main_evaluator, main_protocol, main_signal
from ralc.results.labels import in_order, label

#: What names an answer.
KEY = ["target", "dataset", "question_id"]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNANSWERABLE = "The background does not contain the answer."
#: Hedges shown of an answer.
HEDGES = 5
#: Shades of a long answer's sentences, from doubtful (orange) to sure (blue).
SHADES = 5


def examples(items: pd.DataFrame, questions: pd.DataFrame, *, count: int = 20) -> str:
    """Return a self-contained HTML page of answers before and after RALC, from the items and questions tables.

    It shows `count` answers, at least 1: the same number from each dataset and model as far as it goes, spread evenly
    over calibrated confidence.

    Raises
    ------
    ValueError
        If `count` is below 1, nothing was rewritten, or a question is not in `questions` (named).
    """
    if count < 1:
        raise ValueError(f"count = {count} must be at least 1")
    rows = in_domain(items[(items["variant"] == DEFAULT) & (items["protocol"] == main_protocol(items))])
    signal, evaluator = main_signal(rows), main_evaluator(items)
    chosen = _choose(rows[(rows["method"] == "ralc") & (rows["signal"] == signal)], count)
    by_id = questions.drop_duplicates("question_id").set_index("question_id")
    lacking = chosen.loc[~chosen["question_id"].isin(by_id.index), "question_id"]
    if len(lacking):
        raise ValueError(f"questions: no row for question_id {lacking.iloc[0]!r}")
    about = dict(list(rows[rows["signal"].isin([signal, NONE])].merge(chosen[KEY], on=KEY).groupby(KEY)))
    cards = [_card(about[tuple(key)], by_id.loc[key[-1]], evaluator) for key in chosen[KEY].to_numpy()]
    return page(
        "examples.html.j2",
        title=f"{len(cards)} answers before and after RALC",
        signal=label(signal).lower(),
        evaluator=label(evaluator),
        cards=cards,
        shades=[f"{100 * at // SHADES}–{100 * (at + 1) // SHADES} %" for at in range(SHADES)],
    )


def _choose(rewritten: pd.DataFrame, count: int) -> pd.DataFrame:
    """Rows of signal space spread over models, datasets and the scale of calibrated confidence.

    Deterministic: within each model and dataset, answers are sorted by calibrated mean (of a long answer the mean over
    its sentences) and taken at even steps.
    """
    signal = rewritten[(rewritten["space"] == "signal") & rewritten["alpha"].notna()]
    texts = rewritten[(rewritten["space"] == "linguistic") & rewritten["text"].notna()]
    signal = signal.merge(texts[KEY].drop_duplicates(), on=KEY)
    if signal.empty:
        raise ValueError("items: no rewritten answer of method 'ralc' to show")
    signal["mean"] = signal["alpha"] / (signal["alpha"] + signal["beta"])
    signal["mean"] = signal.groupby(KEY, observed=True)["mean"].transform("mean")
    signal = signal.drop_duplicates(KEY).sort_values(["mean", *UNIT], ascending=[False, True, True])
    groups = [group for _, group in signal.groupby(["target", "dataset"], sort=False)]
    parts = []
    for place, group in enumerate(groups):
        share = min(count // len(groups) + (place < count % len(groups)), len(group))
        parts.append(group.iloc[np.unique(np.linspace(0, len(group) - 1, share).round().astype(int))])
    return pd.concat(parts)


def _card(rows: pd.DataFrame, question: pd.Series, evaluator: str) -> dict[str, Any]:
    """What the page shows of one answer."""
    parts = dict(list(rows.groupby(["space", "method"], observed=True)))
    nothing = rows.iloc[:0]
    words = [parts.get(("linguistic", method), nothing) for method in ("original", "ralc")]
    numbers = [parts.get(("signal", method), nothing) for method in ("original", "ralc")]
    rewrite, texts = words[1].iloc[0], [(*one["text"].dropna(), "(no answer)")[0] for one in words]
    choices = [f"{LETTERS[i % 26]}. {choice}" for i, choice in enumerate(_list(question["choices"]))]
    bars = [*zip(numbers, ("before the map", "after the map"), (False, True), strict=True)]
    readings = [
        (one[one["evaluator"] == name], f"{label(name)}, {when}", when == "after")
        for name in in_order([*words[0]["evaluator"], *words[1]["evaluator"]])
        for one, when in zip(words, ("before", "after"), strict=True)
    ]
    card = {
        "question": question["question"],
        "context": None if pd.isna(question["context"]) else question["context"],
        "choices": choices,
        "truth": _truth(question, choices),
        "grade": rewrite["grade"],
        "dataset": label(rewrite["dataset"]),
        "model": label(rewrite["target"]),
        "signals": [_bar(*bar) for bar in bars],
        "hedges": shown_hedges(texts[1], _list(rewrite["hedges"])),
        "before": [{"text": texts[0]}],
        "after": [{"text": texts[1]}],
        "read": [_percent(_means(one[one["evaluator"] == evaluator])) for one in words],
        "meant": _percent(_means(numbers[1])),
        "origin": rewrite["origin"],
        "readings": [_bar(*bar) for bar in readings],
        "sentences": [],
    }
    card |= _long_answer(*words, numbers[1])
    return card | {"right": card["grade"] == CORRECT}


def _truth(question: pd.Series, choices: list[str]) -> list[str]:
    """What is right: with its letter where there are choices, since answers may be letters."""
    if choices:
        return [choices[int(question["correct_choice"])]]
    return _list(question["accepted"]) if question["answerable"] else [UNANSWERABLE]


def shown_hedges(text: str, hedges: Sequence[str]) -> list[tuple[str, bool]]:
    """Return at most five hedges, nearest first, each with whether the text has it: the longest of those it has.

    >>> shown_hedges("It is most likely Oslo.", ["likely", "most likely", "maybe"])
    [('likely', False), ('most likely', True), ('maybe', False)]
    """
    present = [hedge for hedge in hedges if re.search(rf"\b{re.escape(hedge)}\b", text, re.IGNORECASE)]
    chosen = max(present, key=len, default=None)
    first = list(hedges[:HEDGES])
    if chosen is not None and chosen not in first:
        first[-1] = chosen
    return [(hedge, hedge == chosen) for hedge in first]


def _bar(rows: pd.DataFrame, name: str, after: bool) -> dict[str, Any]:
    """A bar for the first row: mean and central 90 % interval in percent; an empty one for no reading."""
    scored = rows.dropna(subset=["alpha", "beta"]).head(1)
    if scored.empty:
        return {"name": name, "mean": None, "after": after}
    confidence = Beta.from_table(scored)
    mean, low, high = (
        100 * float(one[0]) for one in (confidence.mean, *map(confidence.quantile, (0.05, 0.95)))
    )
    return {"name": name, "mean": mean, "low": low, "width": high - low, "after": after}


def _long_answer(originals: pd.DataFrame, rewrites: pd.DataFrame, mapped: pd.DataFrame) -> dict[str, Any]:
    """What the page shows of an answer that was taken sentence by sentence; nothing of any other."""
    came = originals.drop_duplicates("sentence").set_index("sentence").sort_index()
    if came["parent_answer"].isna().any():
        return {}
    aims = _means(mapped).reindex(came.index)
    read = {name: _means(of) for name, of in rewrites.groupby("evaluator", observed=True)}
    evaluators = in_order(list(read))
    words = rewrites.drop_duplicates("sentence").set_index("sentence").sort_index()
    texts = words["text"].fillna("")
    answer = words["parent_answer"].fillna("").iloc[0] or " ".join(texts)
    columns = [came["outcome"], aims, *(read[name] for name in evaluators)]
    outcome = came["outcome"].dropna().astype(float)
    readings = {
        "before": shaded(came["parent_answer"].iloc[0], came["text"], aims),
        "after": shaded(answer, texts, read[evaluators[0]].reindex(words.index)),
        "read": ["–", _percent(read[evaluators[0]])],
        "meant": _percent(aims),
        "truth": ["none of its sentences has a graded fact"],
        "columns": ["right", "calibrated", *(f"read by {label(name)}" for name in evaluators)],
        "sentences": [[_percent(column[column.index == at]) for column in columns] for at in came.index],
    }
    if len(outcome):
        readings["truth"] = [f"{_percent(outcome)} of what a sentence says is right, on average"]
        readings["grade"] = {1: CORRECT, 0: INCORRECT}.get(outcome.mean(), PARTLY)
    return readings


def shaded(text: str, sentences: Iterable[str], means: Iterable[float]) -> list[dict[str, Any]]:
    """Return a text cut at its sentences, each with its mean in percent and its shade; what is between has none.

    >>> [(one["text"], one.get("percent")) for one in shaded("Yes. It is Rome.", ["It is Rome."], [0.62])]
    [('Yes. ', None), ('It is Rome.', 62)]
    """
    parts, at = [], 0
    for sentence, mean in zip(sentences, means, strict=True):
        start = text.find(sentence, at)
        if not sentence or start < 0 or np.isnan(mean):
            continue
        shade = min(int(mean * SHADES), SHADES - 1)
        parts += [{"text": text[at:start]}, {"text": sentence, "percent": round(100 * mean), "shade": shade}]
        at = start + len(sentence)
    return [one for one in [*parts, {"text": text[at:]}] if one["text"]]


def _means(rows: pd.DataFrame) -> pd.Series:
    """The mean confidence of each sentence, by the first row of it; NaN where it is not read."""
    read = rows.drop_duplicates("sentence").set_index("sentence")[["alpha", "beta"]].astype("float64")
    return read["alpha"] / read.sum(axis=1, skipna=False)


def _percent(shares: pd.Series) -> str:
    """The mean of some shares as text; a dash for none."""
    mean = shares.astype("float64").mean()
    return "–" if pd.isna(mean) else f"{100 * mean:.0f} %"


def _list(values: Iterable[str] | None) -> list[str]:
    """A list column's cell; parquet gives arrays, and null for an empty one."""
    empty = values is None or (np.isscalar(values) and pd.isna(values))
    return [] if empty else [str(value) for value in values]
