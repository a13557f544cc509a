"""The overview page: in plain words, what was run, what came out, and what to be careful about."""

import base64
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from ralc.grading.doubts import Doubt
from ralc.names import ASKED, METHODS, OPPONENTS, SIGNALS
from ralc.report.pages import page
from ralc.report.tables.caveats import caveats, nobody_independent
from ralc.report.tables.reliance import decided
from ralc.report.tables.verdicts import agreed, compared, conclusion, idle_signals, shown, side, unscreened
from ralc.report.titles import TITLES
from ralc.results.families import stated
from ralc.results.labels import QUANTITIES, in_order, label, listed, number
from ralc.results.read_as_meant import Line, lines, passed_unhedged, read_as_meant, unscreened_lines
from ralc.results.select import (
    in_domain,
    main_reader,
    main_signal,
    main_target,
    one,
    plain,
    readers_of,
    readers_outside,
)
from ralc.statistics import FEWEST

#: Readers that share their grammar.
SIBLINGS = {"judge", "cues"}


def overview(
    metrics: pd.DataFrame,
    figures: Mapping[str, Callable[[pd.DataFrame], Figure]] | None = None,
    provenance: Sequence[tuple[str, str]] = (),
    doubts: Sequence[Doubt] = (),
    counts: pd.DataFrame | None = None,
    pair: Mapping[str, str] | None = None,
    maps: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> str:
    """A self-contained HTML page with the headline of a run: one verdict, numbers, figures, caveats.

    Parameters
    ----------
    metrics
        The metrics table.
    figures
        What draws the figures to show from the metrics, by caption.
    provenance
        What a reader needs to repeat the run (`ralc.report.provenance`).
    doubts
        Where grading found hardly any accepted answer; they stand in place of a conclusion.
    counts
        What was lost on the way (`ralc.report.tables.counts`).
    pair
        An answer before and after (`ralc.report.tables.most_changed`).
    maps
        The fitted maps of each target (`ralc.pipeline.fitted_maps.fit`), for their flags.

    Raises
    ------
    ValueError
        If `metrics` has no row of method `ralc`.
    """
    signal = main_signal(metrics)
    changes, read = compared(metrics, signal), lines(metrics, signal)
    return page(
        "overview.html.j2",
        title="Do the words match the certainty?",
        who_read=_who_read(main_reader(metrics), readers_of(metrics)[0]),
        run=[*_what_was_run(metrics), *provenance],
        signal=label(signal).lower(),
        findings=list(_findings(metrics, signal, compared(metrics, signal, apart=True))),
        shown=shown(metrics, signal),
        pair=pair,
        verdict=[*conclusion(agreed(metrics, signal)), *idle_signals(metrics, signal)],
        outside=listed(list(map(label, readers_outside(metrics)))),
        shared=nobody_independent(metrics),
        corrected=stated(changes),
        opponents=[METHODS[versus].title for versus in OPPONENTS],
        reading=read_as_meant(read),
        read=_readings([*read, *unscreened_lines(metrics, signal)]),
        unscreened=unscreened(metrics, signal),
        decided=decided(metrics, signal),
        passed=passed_unhedged(read),
        doubts=doubts,
        caveats=caveats(metrics, signal, changes, counts, maps),
        figures=[
            (caption, _data_uri(draw(metrics)), TITLES[draw.__name__.removeprefix("plot_")][1])
            for caption, draw in (figures or {}).items()
        ],
    )


def verdict(metrics: pd.DataFrame, doubts: Sequence[Doubt] = ()) -> str:
    """A fragment of HTML for where the report opens: what the overview concludes is shown, and how words are read."""
    signal = main_signal(metrics)
    return page(
        "verdict.html.j2",
        doubts=doubts,
        outside=listed(list(map(label, readers_outside(metrics)))),
        shown=shown(metrics, signal),
        reading=read_as_meant(lines(metrics, signal)),
    )


def _who_read(reader: str, loop: str) -> str:
    """Whose readings the headline is, and what is known to be shared with the reader in the loop."""
    if reader == loop:
        return "Then the same reader"
    shared = (
        ", estimated from other studies but with the same grammar of cues,"
        if {reader, loop} == SIBLINGS
        else ""
    )
    return f"Then a reader that had no part in this{shared}"


def _readings(read: Sequence[Line]) -> dict[str, Any]:
    """The table of who read how, with what each is worth."""
    datasets = list(dict.fromkeys(dataset for line in read for dataset in line.rho))
    rows = [
        (line.who, [f"{line.rho[d]:.2f}" if d in line.rho else "–" for d in datasets], line.worth)
        for line in read
    ]
    return {"datasets": list(map(label, datasets)), "rows": rows}


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


def _findings(metrics: pd.DataFrame, signal: str, changes: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Per dataset and metric: RALC, each opponent, and the paired differences."""
    rows = in_domain(plain(metrics, space="linguistic", target=main_target(metrics), apart=True))
    places = rows[["dataset", "subset"]].drop_duplicates().itertuples(index=False, name=None)
    for dataset, subset in places:
        for metric in ASKED:
            at = {"dataset": dataset, "subset": subset, "metric": metric}
            after = one(rows, method="ralc", signal=signal, **at)
            values = [after, *(one(rows, method=versus, **at) for versus in OPPONENTS)]
            shown = QUANTITIES[metric]
            yield {
                "dataset": label(dataset) + (f", {subset}" if subset != "all" else ""),
                "n": "–" if after is None else f"{after['n']:,}",
                "metric": shown.title + {"lower": " ↓", "higher": " ↑"}[shown.better],
                "values": ["–" if row is None else number(row["value"], metric) for row in values],
                "changes": [
                    (_difference(change), side(change))
                    for versus in OPPONENTS
                    for change in [one(changes, versus=versus, **at)]
                ],
            }


def _difference(change: pd.Series | None) -> tuple[str, str]:
    """A paired difference, and its interval and p-value or that there are none."""
    if change is None or not np.isfinite(change["value"]):
        return "–", ""
    metric = change["metric"]
    value = ("+" if change["value"] > 0 else "") + number(change["value"], metric)
    if not np.isfinite(change["ci_low"]):
        return value, "too few to say" if change["n"] < FEWEST else "no interval: all alike"
    p = change["p_value"]
    told = "" if np.isnan(p) else " p < 0.001" if p < 0.001 else f" p = {p:.3f}"
    return value, f"[{number(change['ci_low'], metric)}, {number(change['ci_high'], metric)}]{told}"


def _data_uri(figure: Figure) -> str:
    """A figure as an image inside the page."""
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=130)
    return "data:image/png;base64," + base64.b64encode(image.getvalue()).decode("ascii")
