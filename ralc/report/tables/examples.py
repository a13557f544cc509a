"""A page of example answers: from question and truth to rewrite and readings."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.conditions import UNIT
from ralc.names import CORRECT
from ralc.report.pages import page
from ralc.report.tables.shading import SHADES, long_answer, plain
from ralc.results.labels import in_order, label
from ralc.results.select import in_domain, main_protocol, main_reader, main_signal, readers_of

#: What names an answer.
KEY = ["target", "dataset", "question_id"]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
UNANSWERABLE = "The background does not contain the answer."


def examples(items: pd.DataFrame, questions: pd.DataFrame, *, count: int = 20) -> str:
    """A self-contained HTML page of answers before and after RALC.

    Parameters
    ----------
    items
        The items table.
    questions
        The questions table(s), for the text of questions and the accepted answers.
    count
        Answers shown; the same number from each dataset and model as far as it goes, spread evenly from
        the lowest to the highest calibrated confidence.

    Raises
    ------
    ValueError
        If `count` is below 1, no item was rewritten, or a question is not in `questions` (named).
    """
    if count < 1:
        raise ValueError(f"count = {count} must be at least 1")
    rows = in_domain(items[(items["variant"] == "default") & (items["protocol"] == main_protocol(items))])
    signal = main_signal(rows)
    chosen = choose(rows[(rows["method"] == "ralc") & (rows["signal"] == signal)], count)
    known = questions.drop_duplicates("question_id").set_index("question_id")
    lacking = chosen.loc[~chosen["question_id"].isin(known.index), "question_id"]
    if len(lacking):
        raise ValueError(f"questions: no row for question_id {lacking.iloc[0]!r}")
    about = dict(list(rows.merge(chosen[KEY], on=KEY).groupby(KEY)))
    cards = [_card(about[tuple(key)], known.loc[key[-1]], signal) for key in chosen[KEY].to_numpy()]
    return page(
        "examples.html.j2",
        title=f"{len(cards)} answers before and after RALC",
        signal=label(signal).lower(),
        cards=cards,
        shades=[f"{100 * at // SHADES}–{100 * (at + 1) // SHADES} %" for at in range(SHADES)],
        readers=[label(reader) for reader in readers_of(rows)],
    )


def most_changed(items: pd.DataFrame, questions: pd.DataFrame) -> dict[str, str] | None:
    """Return the answer whose reading by the headline reader RALC changed most; None where none was rewritten.

    Returns
    -------
    dict
        ``question``, its answer ``before`` and ``after``, how sure each was read (``read_before, read_after``), the
        calibrated confidence ``meant``, in percent, and the ``grade`` in words.
    """
    rows = in_domain(items[(items["variant"] == "default") & (items["protocol"] == main_protocol(items))])
    signal, unit = main_signal(rows), ["target", "dataset", *UNIT]
    rows = rows[rows["signal"].isin([signal, "none"]) & rows["alpha"].notna()]
    rows = rows.assign(mean=rows["alpha"] / (rows["alpha"] + rows["beta"])).set_index(unit)
    read = rows[(rows["space"] == "linguistic") & (rows["reader"] == main_reader(items))]
    before, after = read[read["method"] == "original"], read[read["method"] == "ralc"]
    both = before[["text", "mean"]].join(after[["text", "mean", "grade"]].add_suffix("_after"), how="inner")
    both = both[both["text"] != both["text_after"]]
    if both.empty:
        return None
    most = both.loc[(both["mean"] - both["mean_after"]).abs().sort_values(kind="stable").index[-1]]
    meant = rows[(rows["space"] == "signal") & (rows["method"] == "ralc")]["mean"]
    asked = questions.set_index("question_id")["question"]
    return {
        "question": asked[most.name[2]],
        "before": most["text"],
        "after": most["text_after"],
        "read_before": f"{100 * most['mean']:.0f} %",
        "read_after": f"{100 * most['mean_after']:.0f} %",
        "meant": f"{100 * meant[most.name]:.0f} %",
        "grade": label(most["grade_after"]).lower().replace("_", " "),
    }


def choose(rewritten: pd.DataFrame, count: int) -> pd.DataFrame:
    """Rows of signal space spread over models, datasets and the scale of calibrated confidence.

    Deterministic: within each (model, dataset), answers are sorted by calibrated mean (of a long one the mean over its
    sentences) and taken at even steps.
    """
    signal = rewritten[(rewritten["space"] == "signal") & rewritten["alpha"].notna()]
    texts = rewritten[(rewritten["space"] == "linguistic") & rewritten["text"].notna()]
    signal = signal.merge(texts[KEY].drop_duplicates(), on=KEY)
    if signal.empty:
        raise ValueError("items: no rewritten answer of method 'ralc' to show")
    signal["mean"] = signal["alpha"] / (signal["alpha"] + signal["beta"])
    signal["mean"] = signal.groupby(KEY, observed=True)["mean"].transform("mean")
    signal = signal.drop_duplicates(KEY)
    groups = [group for _, group in signal.groupby(["target", "dataset"], sort=False)]
    shares = [count // len(groups) + (place < count % len(groups)) for place in range(len(groups))]
    return pd.concat([_evenly(group, share) for group, share in zip(groups, shares, strict=True) if share])


def _evenly(group: pd.DataFrame, share: int) -> pd.DataFrame:
    ordered = group.sort_values(["mean", *UNIT], ascending=[False, True, True])
    return ordered.iloc[
        np.unique(np.linspace(0, len(ordered) - 1, min(share, len(ordered))).round().astype(int))
    ]


def _card(rows: pd.DataFrame, question: pd.Series, signal: str) -> dict[str, Any]:
    """What the page shows of one answer."""
    rewrites = rows[(rows["method"] == "ralc") & (rows["signal"] == signal) & (rows["space"] == "linguistic")]
    originals = rows[(rows["method"] == "original") & (rows["space"] == "linguistic")]
    raw = rows[(rows["method"] == "original") & (rows["signal"] == signal) & (rows["space"] == "signal")]
    mapped = rows[(rows["method"] == "ralc") & (rows["signal"] == signal) & (rows["space"] == "signal")]
    rewrite = rewrites.iloc[0]
    long = long_answer(originals, mapped, rewrites)
    grade = long.get("grade", rewrite["grade"])
    choices = [f"{LETTERS[i % 26]}. {choice}" for i, choice in enumerate(_list(question["choices"]))]
    return {
        "question": question["question"],
        "context": None if pd.isna(question["context"]) else question["context"],
        "choices": choices,
        "truth": [] if long else _truth(question, choices),
        "place": " · ".join(label(rewrite[column]) for column in ("dataset", "subject", "target")),
        "original": [plain(_text(originals))],
        "grade": grade,
        "dataset": label(rewrite["dataset"]),
        "model": label(rewrite["target"]),
        "right": grade == CORRECT,
        "signals": [*_bars(raw, "before the map"), *_bars(mapped, "after the map", after=True)],
        "hedges": _list(rewrite["hedges"]),
        "chosen": said_in(_text(rewrites), _list(rewrite["hedges"])),
        "rewrite": [plain(_text(rewrites))],
        "origin": rewrite["origin"],
        "preserved": None
        if pd.isna(rewrite["content_preservation"])
        else f"{rewrite['content_preservation']:.2f}",
        "readings": _readings(originals, rewrites),
        "sentences": [],
    } | long


def _truth(question: pd.Series, choices: list[str]) -> list[str]:
    """What is right: with its letter where there are choices, since answers may be letters."""
    if choices:
        return [choices[int(question["correct_choice"])]]
    return _list(question["accepted"]) if question["answerable"] else [UNANSWERABLE]


def said_in(text: str, hedges: Sequence[str]) -> str | None:
    """Return the hedge that a text says, the longest of several; None where it says none of them as they stand.

    >>> said_in("It is most likely Oslo.", ["likely", "most likely", "maybe"])
    'most likely'
    """
    found = [hedge for hedge in hedges if re.search(rf"\b{re.escape(hedge)}\b", text, re.IGNORECASE)]
    return max(found, key=len, default=None)


def _readings(originals: pd.DataFrame, rewrites: pd.DataFrame) -> list[dict[str, Any]]:
    """Bars of each reader, before and after."""
    bars = []
    for reader in in_order([*originals["reader"], *rewrites["reader"]]):
        bars += _bars(originals[originals["reader"] == reader], f"{label(reader)}, before")
        bars += _bars(rewrites[rewrites["reader"] == reader], f"{label(reader)}, after", after=True)
    return bars


def _bars(rows: pd.DataFrame, name: str, *, after: bool = False) -> list[dict[str, Any]]:
    """A bar for the first row: mean and central 90 % interval in percent; an empty one for no reading."""
    scored = rows.dropna(subset=["alpha", "beta"])
    if scored.empty:
        return [{"name": name, "mean": None, "after": after}]
    confidence = Beta(float(scored["alpha"].iloc[0]), float(scored["beta"].iloc[0]))
    low, high = (100 * float(confidence.quantile(q)) for q in (0.05, 0.95))
    return [
        {"name": name, "mean": 100 * float(confidence.mean), "low": low, "width": high - low, "after": after}
    ]


def _text(rows: pd.DataFrame) -> str:
    texts = rows["text"].dropna()
    return texts.iloc[0] if len(texts) else "(no answer)"


def _list(values: Iterable[str] | None) -> list[str]:
    """A list column's cell; parquet gives arrays, and null for an empty one."""
    return (
        []
        if values is None or (np.isscalar(values) and pd.isna(values))
        else [str(value) for value in values]
    )
