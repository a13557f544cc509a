"""What a careful reader should know of a run, from its own numbers where they speak."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ralc.conditions import DEFAULT, MEAN
from ralc.names import ASKED, SIGNALS, metrics_by
from ralc.report.tables.maps import FLAGS
from ralc.results.labels import QUANTITIES, in_order, label, number
from ralc.results.select import graded, in_domain, main_target, one, plain, readers_of
from ralc.results.worth import LOOP, independent
from ralc.statistics import smallest_difference

#: Fewer held-out questions than this are called few.
FEW = 100


def caveats(
    metrics: pd.DataFrame,
    signal: str,
    changes: pd.DataFrame,
    counts: pd.DataFrame | None = None,
    maps: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> list[str]:
    """Return sentences about what the numbers of a run cannot show, and what was lost.

    Parameters
    ----------
    metrics
        The metrics table.
    signal
        The signal that guides the rewrites shown.
    changes
        What `ralc.report.tables.verdicts.compared` yields.
    counts
        What was lost on the way (`ralc.report.tables.counts`).
    maps
        The fitted maps of each target (`ralc.pipeline.fitted_maps.fit`).
    """
    rows = in_domain(plain(metrics, space="linguistic", target=main_target(metrics)))
    ralc = rows[(rows["method"] == "ralc") & (rows["signal"] == signal)]
    return [
        *_never_answered(metrics, maps or {}, signal),
        *_nobody_apart(metrics),
        "FD falls when the words become vaguer, and gECE has a floor that even perfect calibration cannot "
        "pass. A constant hedge does well on both without knowing anything, so its numbers stand beside "
        "ours; it cannot tell right answers from wrong ones, which AUROC and Brier score of the means show.",
        "Perceived confidence is that of reader models, not of people asked about these texts. Intervals "
        "resample questions; they are conditional on the readings.",
        *_floors(ralc),
        *_few(ralc),
        *(_unseen(changes, dataset) for dataset in in_order(ralc["dataset"])),
        *_flagged(maps or {}),
        *_lost(counts, signal),
        *_unread(metrics),
        *_losses(plain(metrics, target=main_target(metrics))),
    ]


def _never_answered(
    metrics: pd.DataFrame, maps: Mapping[str, Sequence[Mapping[str, Any]]], signal: str
) -> Iterator[str]:
    """Questions all of whose samples failed: those that the maps are without, and the held-out ones."""
    lost = [*_unanswered_training(maps, signal), *_unanswered_held_out(metrics)]
    if lost:
        yield (
            f"Never answered: {'; '.join(lost)}. All samples of these questions failed (a prompt may be "
            "longer than the model's context; the logs of rule complete say why): they have no signal and no "
            "outcome, and are in no map and no number."
        )


def _unanswered_training(maps: Mapping[str, Sequence[Mapping[str, Any]]], signal: str) -> Iterator[str]:
    """Training questions that were never answered, by model and dataset, with the size of the signal's map."""
    for target, fits in maps.items():
        for fit in _own(fits):
            if fit["signal"] == signal and fit["unanswered"]:
                lost = f"{fit['unanswered']} training question{'' if fit['unanswered'] == 1 else 's'}"
                yield f"{lost} of {label(fit['dataset'])} by {target} (its map has n = {fit['n']})"


def _own(fits: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The maps of the run's own protocol, without variants."""
    return [fit for fit in fits if fit["variant"] == DEFAULT and fit["protocol"] == fits[0]["protocol"]]


def _unanswered_held_out(metrics: pd.DataFrame) -> Iterator[str]:
    """Held-out questions that were never answered, by model and dataset."""
    rows = plain(metrics, space="linguistic")
    rows = rows[(rows["metric"] == "unanswered_rate") & (rows["method"] == "original") & (rows["value"] > 0)]
    for row in rows[rows["target"] != MEAN].itertuples():
        lost = f"{round(row.value * row.n)} of {row.n} held-out questions"
        yield f"{lost} of {label(row.dataset)} by {row.target}"


def nobody_independent(metrics: pd.DataFrame) -> bool:
    """Whether no reader of the run is independent of the one in the loop, by the five bars."""
    loop, *judges = readers_of(metrics) or ["none"]
    return not any(loop == LOOP and independent(judge) for judge in judges)


def _nobody_apart(metrics: pd.DataFrame) -> Iterator[str]:
    """What follows where no reader of the run is independent of the one in the loop."""
    if nobody_independent(metrics):
        yield (
            "No reader of this run is independent of the one in the loop by our five bars (how to trust the numbers): "
            "nothing is claimed that needs one, and numbers of words are those of readers who share something with it."
        )


def _floors(ralc: pd.DataFrame) -> Iterator[str]:
    """Each dataset's gECE beside what perfect calibration would give with distributions of the same shape."""
    floors = [_floor(ralc[ralc["dataset"] == dataset], dataset) for dataset in in_order(ralc["dataset"])]
    if floors:
        yield f"How much of gECE after RALC is floor: {'; '.join(floors)}."


def _floor(rows: pd.DataFrame, dataset: str) -> str:
    found, floor = (one(rows, metric=metric) for metric in ("generalised_ece", "generalised_ece_null"))
    shown = ["–" if row is None else number(row["value"], "generalised_ece") for row in (found, floor)]
    text = f"{label(dataset)}: gECE {shown[0]}, floor {shown[1]}"
    if found is not None and floor is not None and found["value"] < floor["value"]:
        text += " (below it by chance: few answers)"
    return text


def _few(ralc: pd.DataFrame) -> Iterator[str]:
    """Datasets with few held-out questions."""
    sizes = graded(ralc).groupby("dataset", sort=False)["n"].max()
    few = ", ".join(f"{label(dataset)} ({n})" for dataset, n in sizes[sizes < FEW].items())
    if few:
        yield f"Few held-out questions, so wide intervals or none: {few}."


def _unseen(changes: pd.DataFrame, dataset: str) -> str:
    """What a dataset's number of questions cannot show: differences too small to be found four times in five."""
    found, sizes = [], [0]
    for metric in ASKED:
        change = one(changes, versus="original", dataset=dataset, metric=metric)
        if change is None or not np.isfinite(change["ci_high"]):
            continue
        least = smallest_difference((change["ci_high"] - change["ci_low"]) / 2)
        whole = least >= QUANTITIES[metric].high
        found.append(f"{'anything' if whole else number(least, metric)} in {QUANTITIES[metric].title}")
        sizes.append(int(change["n"]))
    if not found:
        return f"{label(dataset)}: too few answers to say what its size can show."
    return (
        f"What {max(sizes)} questions of {label(dataset)} can carry: a change of less than {', '.join(found)} would be "
        "missed in more than one of five such runs, so that 'not shown' does not mean equal."
    )


def _flagged(maps: Mapping[str, Sequence[Mapping[str, Any]]]) -> Iterator[str]:
    """The run's own maps that are not to be trusted as they are, and why."""
    for target, fits in maps.items():
        flagged = [
            f"{label(fit['dataset'])}, {SIGNALS[fit['signal']].title.lower()}: "
            + ", ".join(FLAGS[flag] for flag in fit["learned"]["flags_"])
            for fit in _own(fits)
            if fit["learned"]["flags_"]
        ]
        if flagged:
            yield f"Calibration maps of {target} with flags: {'; '.join(flagged)}."


def _lost(counts: pd.DataFrame | None, signal: str) -> Iterator[str]:
    """The share of rewrites that lost content."""
    column = ("lost_content_share", "value")
    if counts is None or column not in counts:
        return
    rows = counts.reset_index()
    rows = rows[(rows["method"] == "ralc") & (rows["signal"] == signal)]
    shares = [
        f"{number(row[column], 'lost_content_share')} % ({row[('target', '')]}, {label(row[('dataset', '')])})"
        for _, row in rows.iterrows()
    ]
    if shares:
        yield f"Rewrites that lost content: {', '.join(shares)}."


def _unread(metrics: pd.DataFrame) -> Iterator[str]:
    """Texts that a reader could not read, for each reader."""
    for reader in readers_of(metrics):
        rows = plain(metrics, space="linguistic", reader=reader, target=main_target(metrics))
        worst = rows[rows["metric"] == "unscored_rate"]["value"].max()
        if worst > 0:
            yield (
                f"Unread by {reader}: up to {number(worst, 'unscored_rate')} % of the texts of one condition; they are "
                "in none of its numbers."
            )


def _losses(rates: pd.DataFrame) -> Iterator[str]:
    """What else was lost, at worst; what was never answered or read has a sentence of its own."""
    for metric in metrics_by("losses"):
        worst = rates[rates["metric"] == metric]["value"].max()
        if worst > 0 and metric not in ("unanswered_rate", "unscored_rate"):
            yield f"{QUANTITIES[metric].title}: up to {number(worst, metric)} % in one condition; see the counts."
