"""The overview page: in plain words, what was run, what came out, and what to be careful about."""

import base64
import io
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ralc.grading.doubts import Doubt
from ralc.names import METHODS, SIGNALS, metrics_by
from ralc.report.pages import page
from ralc.results.labels import QUANTITIES, in_order, label, number
from ralc.results.select import (
    differences,
    in_domain,
    main_reader,
    main_target,
    one,
    plain,
    readers_of,
    verdict,
)
from ralc.statistics import smallest_difference

HEADLINES = ["faithfulness_divergence", "generalised_ece"]
DISCRIMINATION = ["auroc", "brier_score"]


def overview(
    metrics: pd.DataFrame,
    figures: Mapping[str, Figure] | None = None,
    provenance: Sequence[tuple[str, str]] = (),
    doubts: Sequence[Doubt] = (),
) -> str:
    """A self-contained HTML page with the headline of a run: verdicts, numbers, figures, caveats.

    Parameters
    ----------
    metrics : the metrics table.
    figures : figures to show, by caption.
    provenance : what a reader needs to repeat the run (`ralc.report.provenance`).
    doubts : where grading found hardly any accepted answer; they stand in place of a conclusion.

    Raises
    ------
    ValueError
        If `metrics` has no row of method `ralc`.
    """
    signal = _main_signal(metrics)
    return page(
        "overview.html.j2",
        title="Do the words match the certainty?",
        independent=main_reader(metrics) != readers_of(metrics)[0],
        run=[*_what_was_run(metrics), *provenance],
        signal=label(signal).lower(),
        findings=_findings(metrics, signal),
        verdicts=_verdicts(metrics, signal),
        doubts=doubts,
        caveats=_caveats(metrics, signal),
        figures=[(caption, _data_uri(figure)) for caption, figure in (figures or {}).items()],
    )


def _main_signal(metrics: pd.DataFrame) -> str:
    ran = in_order(metrics.loc[metrics["method"] == "ralc", "signal"], reversed(SIGNALS))
    if not ran:
        raise ValueError("metrics: no rows of method 'ralc'")
    return ran[0]


def _what_was_run(metrics: pd.DataFrame) -> list[tuple[str, str]]:
    """Facts of the run, by name."""
    rows = plain(metrics)
    asked = rows[(rows["space"] == "linguistic") & (rows["target"] != "mean")]
    sizes = asked.groupby("dataset", sort=False)["n"].max()
    questions = ", ".join(f"{label(dataset)} ({n} held-out questions)" for dataset, n in sizes.items())
    readers = readers_of(metrics)
    return [
        ("Models", ", ".join(t for t in in_order(rows["target"]) if t != "mean")),
        ("Questions", questions),
        ("Signals", ", ".join(label(s) for s in in_order(rows["signal"], SIGNALS) if s != "none")),
        ("Methods", ", ".join(label(m) for m in in_order(rows["method"], METHODS))),
        (
            "Readers",
            ", ".join(
                f"{reader} ({label(reader)})" if label(reader) != reader else reader for reader in readers
            ),
        ),
        ("Headline reader", main_reader(metrics)),
    ]


def _findings(metrics: pd.DataFrame, signal: str) -> list[dict[str, str]]:
    """Per dataset and metric: before, after, paired difference with interval."""
    target = main_target(metrics)
    rows = in_domain(plain(metrics, space="linguistic", target=target))
    changes = _changes(metrics, signal)
    findings = []
    for dataset in in_order(rows["dataset"]):
        for metric in HEADLINES + DISCRIMINATION:
            at = {"dataset": dataset, "metric": metric}
            before, after = one(rows, method="original", **at), one(rows, method="ralc", signal=signal, **at)
            constant = one(rows, method="constant_hedge", **at)
            change = changes.get(("original", dataset, metric))
            findings.append(
                {
                    "dataset": label(dataset),
                    "metric": QUANTITIES[metric].title
                    + {"lower": " ↓", "higher": " ↑"}[QUANTITIES[metric].better],
                    "before": _shown(before, metric),
                    "after": _shown(after, metric),
                    "constant": _shown(constant, metric),
                    "change": _interval(change, metric),
                    "verdict": _side(change, metric),
                }
            )
    return findings


def _shown(row: pd.Series | None, metric: str) -> str:
    return "–" if row is None else number(row["value"], metric)


def _changes(metrics: pd.DataFrame, signal: str) -> dict[tuple[str, str, str], pd.Series]:
    """Paired differences of in-domain RALC by (method compared with, dataset, metric)."""
    rows = in_domain(differences(metrics))
    rows = rows[
        (rows["method"] == "ralc") & (rows["signal"] == signal) & (rows["target"] == main_target(metrics))
    ]
    return {(row["versus"], row["dataset"], row["metric"]): row for _, row in rows.iterrows()}


def _interval(change: pd.Series | None, metric: str) -> str:
    if change is None or not np.isfinite(change["value"]):
        return "–"
    text = ("+" if change["value"] > 0 else "") + number(change["value"], metric)
    if not np.isfinite(change["ci_low"]):
        return text
    return f"{text} [{number(change['ci_low'], metric)}, {number(change['ci_high'], metric)}]"


def _side(change: pd.Series | None, metric: str) -> str:
    """better, worse, or unclear: which side of 0 the whole interval lies on."""
    if change is None:
        return "unclear"
    numbers = (change[column] for column in ("value", "ci_low", "ci_high", "n"))
    return verdict(*numbers, QUANTITIES[metric].better)


def _verdicts(metrics: pd.DataFrame, signal: str) -> list[str]:
    """Sentences: on how many datasets RALC is better, worse, or not told apart."""
    sentences, changes = [], _changes(metrics, signal)
    for versus, names in (("original", HEADLINES), ("constant_hedge", DISCRIMINATION)):
        for metric in names:
            sides = [_side(change, metric) for key, change in changes.items() if key[::2] == (versus, metric)]
            if sides:
                tally = {side: sides.count(side) for side in ("better", "worse", "unclear")}
                sentences.append(
                    f"{QUANTITIES[metric].title}, RALC against the {label(versus).lower()}: better on "
                    f"{tally['better']} of {len(sides)} datasets, worse on {tally['worse']}, not told apart "
                    f"on {tally['unclear']} (paired 95 % intervals)."
                )
    return sentences


def _caveats(metrics: pd.DataFrame, signal: str) -> list[str]:
    """What a careful reader should know, from this run's own numbers where they speak."""
    rows = in_domain(plain(metrics, space="linguistic", target=main_target(metrics)))
    ralc = rows[(rows["method"] == "ralc") & (rows["signal"] == signal)]
    caveats = [
        "FD falls when the words become vaguer, and gECE has a floor that even perfect calibration cannot "
        "pass. A constant hedge does well on both without knowing anything, so its numbers stand beside "
        "ours; it cannot tell right answers from wrong ones, which AUROC and Brier score of the means show.",
        "Perceived confidence is that of reader models, not of people asked about these texts. Intervals "
        "resample questions; they are conditional on the readings.",
    ]
    floors = [_floor(ralc[ralc["dataset"] == dataset], dataset) for dataset in in_order(ralc["dataset"])]
    caveats += [f"How much of gECE after RALC is floor: {'; '.join(floors)}."] if floors else []
    small = ralc.groupby("dataset", sort=False)["n"].max()
    few = ", ".join(f"{label(d)} ({n})" for d, n in small[small < 100].items())
    caveats += [f"Few held-out questions, so wide intervals: {few}."] if few else []
    caveats += [_unseen(_changes(metrics, signal), dataset) for dataset in in_order(ralc["dataset"])]
    rates = plain(metrics, target=main_target(metrics))
    for metric in metrics_by("losses"):
        worst = rates[rates["metric"] == metric]["value"].max()
        if worst > 0:
            caveats.append(
                f"{QUANTITIES[metric].title}: up to {number(worst, metric)} % in one condition; see the counts."
            )
    return caveats


def _unseen(changes: Mapping[tuple[str, str, str], pd.Series], dataset: str) -> str:
    """What a dataset's number of questions cannot show: differences too small to be found four times in five."""
    found, sizes = [], [0]
    for metric in HEADLINES + DISCRIMINATION:
        change = changes.get(("original", dataset, metric))
        if change is None or not np.isfinite(change["ci_high"]) or change["ci_high"] <= change["ci_low"]:
            continue
        least = smallest_difference((change["ci_high"] - change["ci_low"]) / 2)
        whole = least >= QUANTITIES[metric].high
        found.append(f"{'anything' if whole else number(least, metric)} in {QUANTITIES[metric].title}")
        sizes.append(int(change["n"]))
    if not found:
        return f"{label(dataset)}: too few answers to say what its size can show."
    return (
        f"What {max(sizes)} questions of {label(dataset)} can carry: a change of less than {', '.join(found)} would be "
        "missed in more than one of five such runs, so that 'not told apart' does not mean equal."
    )


def _floor(rows: pd.DataFrame, dataset: str) -> str:
    """A dataset's gECE beside what perfect calibration would give with distributions of the same shape."""
    found, floor = (one(rows, metric=metric) for metric in ("generalised_ece", "generalised_ece_null"))
    text = (
        f"{label(dataset)}: gECE {_shown(found, 'generalised_ece')}, floor {_shown(floor, 'generalised_ece')}"
    )
    if found is not None and floor is not None and found["value"] < floor["value"]:
        text += " (below it by chance: few answers)"
    return text


def _data_uri(figure: Figure) -> str:
    """A figure as an image inside the page."""
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=130)
    return "data:image/png;base64," + base64.b64encode(image.getvalue()).decode("ascii")
