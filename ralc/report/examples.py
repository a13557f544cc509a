"""The page of example answers: each in a few lines, before and after, with everything else folded."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup

from ralc.beta import Beta
from ralc.conditions import DEFAULT, NONE, UNIT
from ralc.registry import CORRECT, INCORRECT, PARTLY
from ralc.report.rendering import page
from ralc.results import in_domain, main_evaluator, main_protocol, main_signal, means
from ralc.results.labels import in_order, label

#: What names an answer.
ANSWER_KEY = ["target", "dataset", "question_id"]
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNANSWERABLE = "The background does not contain the answer."
#: Hedges shown of an answer.
HEDGES = 5
#: Shades of a long answer's sentences, from doubtful (orange) to sure (blue).
SHADES = 5


def examples(items: pd.DataFrame, questions: pd.DataFrame, *, count: int = 20) -> str:
    """Return a self-contained HTML page of answers before and after RALC, from the items and questions tables.

    Each dataset and model has the same number of them as far as it goes, spread evenly over calibrated confidence.

    Parameters
    ----------
    items, questions
        The run's items, and the questions tables of all datasets as one.
    count
        Answers that are shown, at least 1.

    Raises
    ------
    ValueError
        If nothing was rewritten.
    """
    rows = _guided(items)
    cards = _cards(rows, questions, _spread(rows[rows["method"] == "ralc"], count), main_evaluator(items))
    return page(
        "examples.html.j2",
        title=f"{len(cards)} answers before and after RALC",
        signal=label(main_signal(items)).lower(),
        evaluator=label(main_evaluator(items)),
        cards=cards,
        shades=[f"{100 * at // SHADES}–{100 * (at + 1) // SHADES} %" for at in range(SHADES)],
    )


def most_changed(items: pd.DataFrame, questions: pd.DataFrame) -> dict[str, Any] | None:
    """Return the card of the short answer, right or wrong, whose reading RALC changed most; None where none changed."""
    rows = _guided(items)
    evaluator = main_evaluator(items)
    read = rows[(rows["evaluator"] == evaluator) & rows["parent_answer"].isna()].set_index(ANSWER_KEY)
    read = read.assign(mean=means(read))
    before, after = (read[read["method"] == method] for method in ("original", "ralc"))
    both = before[["text", "mean"]].join(after[["text", "mean", "grade"]], rsuffix="_after", how="inner")
    both = both[(both["text"] != both["text_after"]) & both["grade"].isin([CORRECT, INCORRECT])]
    change = (both["mean"] - both["mean_after"]).abs().dropna().sort_values(kind="stable")
    if change.empty:
        return None
    (card,) = _cards(rows, questions, change.index[-1:].to_frame(index=False), evaluator)
    return card


def _guided(items: pd.DataFrame) -> pd.DataFrame:
    """Items of the default variant by maps of their own dataset that the main signal guides, or no signal."""
    rows = in_domain(items[(items["variant"] == DEFAULT) & (items["protocol"] == main_protocol(items))])
    return rows[rows["signal"].isin([main_signal(items), NONE])]


def _spread(rewritten: pd.DataFrame, count: int) -> pd.DataFrame:
    """Names of answers at even steps of their calibrated mean, within each model and dataset.

    Of a long answer it is the mean over its sentences.
    """
    signal = rewritten[(rewritten["space"] == "signal") & rewritten["alpha"].notna()]
    texts = rewritten[(rewritten["space"] == "linguistic") & rewritten["text"].notna()]
    signal = signal.merge(texts[ANSWER_KEY].drop_duplicates(), on=ANSWER_KEY)
    if signal.empty:
        raise ValueError("items: no rewritten answer of method 'ralc' to show")
    signal["mean"] = means(signal)
    signal["mean"] = signal.groupby(ANSWER_KEY, observed=True)["mean"].transform("mean")
    signal = signal.drop_duplicates(ANSWER_KEY).sort_values(["mean", *UNIT], ascending=[False, True, True])
    groups = [group for _, group in signal.groupby(["target", "dataset"], sort=False)]
    parts = []
    for place, group in enumerate(groups):
        share = min(len(range(place, count, len(groups))), len(group))  # groups take turns
        parts.append(group.iloc[np.unique(np.linspace(0, len(group) - 1, share).round().astype(int))])
    return pd.concat(parts)[ANSWER_KEY]


def _cards(
    rows: pd.DataFrame, questions: pd.DataFrame, chosen: pd.DataFrame, evaluator: str
) -> list[dict[str, Any]]:
    """What is shown of each chosen answer."""
    by_id = questions.drop_duplicates("question_id").set_index("question_id")
    about = dict(list(rows.merge(chosen, on=ANSWER_KEY).groupby(ANSWER_KEY, observed=True)))
    return [
        _card(about[key], by_id.loc[key[-1]], evaluator) for key in chosen.itertuples(index=False, name=None)
    ]


def _card(rows: pd.DataFrame, question: pd.Series, evaluator: str) -> dict[str, Any]:
    """What the page shows of one answer."""
    words, numbers = (
        [rows[(rows["space"] == space) & (rows["method"] == method)] for method in ("original", "ralc")]
        for space in ("linguistic", "signal")
    )
    rewrite = words[1].iloc[0]
    texts = [(*part["text"].dropna(), "(no answer)")[0] for part in words]
    choices = [f"{ALPHABET[i % 26]}. {choice}" for i, choice in enumerate(_list(question["choices"]))]
    truth = _list(question["accepted"]) if question["answerable"] else [UNANSWERABLE]
    bars = [*zip(numbers, ("before the map", "after the map"), (False, True), strict=True)]
    readings = [
        (part[part["evaluator"] == name], f"{label(name)}, {when}", when == "after")
        for name in in_order([*words[0]["evaluator"], *words[1]["evaluator"]])
        for part, when in zip(words, ("before", "after"), strict=True)
    ]
    card = {
        "question": question["question"],
        "context": None if pd.isna(question["context"]) else question["context"],
        "choices": choices,
        "truth": [choices[int(question["correct_choice"])]] if choices else truth,
        "grade": rewrite["grade"],
        "dataset": label(rewrite["dataset"]),
        "model": label(rewrite["target"]),
        "signals": [_bar(*bar) for bar in bars],
        "hedges": shown_hedges(texts[1], _list(rewrite["hedges"])),
        "before": [{"text": texts[0]}],
        "after": [{"text": texts[1]}],
        "read": [_percent(_means(part[part["evaluator"] == evaluator])) for part in words],
        "meant": _percent(_means(numbers[1])),
        "origin": rewrite["origin"],
        "readings": [_bar(*bar) for bar in readings],
        "sentences": "",
    }
    return card | _long_answer(*words, numbers[1])


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
    values = (confidence.mean, confidence.quantile(0.05), confidence.quantile(0.95))
    mean, low, high = (100 * float(value[0]) for value in values)
    return {"name": name, "mean": mean, "low": low, "width": high - low, "after": after}


def _long_answer(originals: pd.DataFrame, rewrites: pd.DataFrame, mapped: pd.DataFrame) -> dict[str, Any]:
    """What the page shows of an answer that was taken sentence by sentence; nothing of any other."""
    before, after = (
        rows.drop_duplicates("sentence").set_index("sentence").sort_index() for rows in (originals, rewrites)
    )
    if before["parent_answer"].isna().any():
        return {}
    aims = _means(mapped).reindex(before.index)
    outcome = before["outcome"].astype(float)
    read = {name: _means(rows) for name, rows in rewrites.groupby("evaluator", observed=True)}
    read = {name: read[name].reindex(before.index) for name in in_order(list(read))}
    texts = after["text"].fillna("")
    first, *_ = read.values()
    table = pd.DataFrame(
        {"right": outcome, "calibrated": aims} | {f"read by {label(n)}": of for n, of in read.items()}
    )
    table.index = range(1, len(table) + 1)
    shown = {
        "before": shaded(before["parent_answer"].iloc[0], before["text"], aims),
        "after": shaded(
            after["parent_answer"].fillna("").iloc[0] or " ".join(texts), texts, first.reindex(texts.index)
        ),
        "read": ["–", _percent(first)],
        "meant": _percent(aims),
        "truth": ["none of its sentences has a graded fact"],
        "sentences": Markup(
            table.to_html(float_format="{:.0%}".format, na_rep="–", classes="numbers", border=0)
        ),
    }
    if outcome.notna().any():
        shown["truth"] = [f"{_percent(outcome)} of what a sentence says is right, on average"]
        shown["grade"] = {1: CORRECT, 0: INCORRECT}.get(outcome.mean(), PARTLY)
    return shown


def shaded(text: str, sentences: Iterable[str], means: Iterable[float]) -> list[dict[str, Any]]:
    """Return a text cut at its sentences, each with its mean in percent and its shade; what is between has none.

    Parameters
    ----------
    text
        The whole text.
    sentences
        Parts of it, in their order; one that is empty or does not stand in it is passed over.
    means
        The mean of each, in [0, 1]; NaN for one that was not read.

    Examples
    --------
    >>> [(span["text"], span.get("percent")) for span in shaded("Yes. It is Rome.", ["It is Rome."], [0.62])]
    [('Yes. ', None), ('It is Rome.', 62)]
    """
    parts = []
    at = 0
    for sentence, mean in zip(sentences, means, strict=True):
        start = text.find(sentence, at)
        if not sentence or start < 0 or np.isnan(mean):
            continue
        shade = min(int(mean * SHADES), SHADES - 1)
        parts += [{"text": text[at:start]}, {"text": sentence, "percent": round(100 * mean), "shade": shade}]
        at = start + len(sentence)
    return [span for span in [*parts, {"text": text[at:]}] if span["text"]]


def _means(rows: pd.DataFrame) -> pd.Series:
    """The mean confidence of each sentence, by the first row of it; NaN where it is not read."""
    read = rows.drop_duplicates("sentence").set_index("sentence")[["alpha", "beta"]].astype("float64")
    return means(read)


def _percent(shares: pd.Series) -> str:
    """The mean of some shares as text; a dash for none."""
    mean = shares.astype("float64").mean()
    return "–" if pd.isna(mean) else f"{100 * mean:.0f} %"


def _list(values: Iterable[str] | None) -> list[str]:
    """A list column's cell; parquet gives arrays, and null for an empty one."""
    empty = values is None or (np.isscalar(values) and pd.isna(values))
    return [] if empty else [str(value) for value in values]
