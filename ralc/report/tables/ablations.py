"""Ablations: the calibration map, what cost rewrites, and protocols side by side."""

import pandas as pd

from ralc.conditions import DEFAULT
from ralc.names import HEADLINES, SIGNALS
from ralc.report.tables.headline import abstentions_in
from ralc.results import families
from ralc.results.labels import in_order
from ralc.results.select import (
    differences,
    in_domain,
    main_protocol,
    main_reader,
    main_target,
    one_reader,
    spread,
    widen,
)

ERRORS = HEADLINES[::-1]
SHOWN = [*HEADLINES, "generalised_ece_excess", "brier_score", "auroc"]
WORDS = [*SHOWN, "spearman_mean", "content_preservation"]
INTERVAL = ["value", "ci_low", "ci_high", "sd"]


def map_ablation(metrics: pd.DataFrame) -> pd.DataFrame:
    """gECE and FD of every calibration map in signal space, in-domain (paper, calibration map ablation).

    Returns
    -------
    DataFrame, one row a (dataset, map), columns (signal, quantity, part). The row ``all datasets`` is the mean over
    datasets and models, its `sd` the real SD over them, as in the paper.
    """
    rows = _signal_space(metrics)
    mapped = (rows["method"] == "ralc") & (
        (rows["variant"] == DEFAULT) | rows["variant"].str.startswith("map=")
    )
    raw = rows[(rows["method"] == "original") & (rows["variant"] == DEFAULT)].assign(map="uncalibrated")
    maps = rows[mapped].assign(map=lambda found: found["variant"].str.removeprefix("map="))
    rows = pd.concat([raw, maps.assign(map=maps["map"].replace(DEFAULT, "the run's own"))])
    rows = rows[rows["metric"].isin(ERRORS)]
    shown = rows[rows["target"] == main_target(metrics)]
    single = rows[rows["target"] != "mean"].groupby(["map", "signal", "metric"], sort=False)["value"]
    pooled = (
        single.agg(value="mean", sd="std")
        .reset_index()
        .assign(dataset="all datasets", ci_low=None, ci_high=None)
    )
    tidy = pd.concat([shown.assign(sd=float("nan")), pooled])
    keys = ["dataset", "map", "signal", "metric"]
    table = spread(tidy.set_index(keys)[INTERVAL].astype("float64"), ["signal", "metric"])
    table = table.reorder_levels([1, 2, 0], axis=1)
    signals = in_order(tidy["signal"], SIGNALS)
    columns = [(s, m, part) for s in signals for m in ERRORS for part in INTERVAL if (s, m, part) in table]
    order = [
        (d, m) for d in in_order(tidy["dataset"]) for m in in_order(tidy["map"]) if (d, m) in table.index
    ]
    table = table.loc[order, [column for column in columns if table[column].notna().any()]]
    table[("n", "n", "value")] = (
        shown.groupby(["dataset", "map"])["n"].max().reindex(table.index).astype("float64")
    )
    table.columns = table.columns.set_names(["signal", "quantity", "part"])
    table.attrs = {
        "title": "Calibration maps in signal space",
        "notes": [
            "Maps fitted on the train questions of the same dataset and applied to the means, concentrations kept. "
            "Under “all datasets”: means over datasets and models, ± the SD over them.",
            "Both errors fall when a map gives every answer the same confidence: see AUROC and the constant hedge.",
            *abstentions_in(metrics, apart="signal space"),
        ],
        "best_within": ["dataset"],
    }
    return table


def ablations(metrics: pd.DataFrame) -> pd.DataFrame:
    """Every variant beside the default, in-domain; the texts as the headline reader reads them.

    Returns
    -------
    DataFrame, one row a (target, dataset, signal, variant), columns (quantity, part): values with intervals.
    """
    rows = in_domain(_plain(metrics, "linguistic"))
    rows = rows[(rows["method"] == "ralc") & (rows["subset"] == "all")]
    table = widen(_by_variant(rows), ["target", "dataset", "signal", "variant"], WORDS, INTERVAL)
    table.attrs = {
        "title": "Ablations: RALC with one thing changed",
        "notes": [
            _what_changed(),
            "n is that of the answers of the variant; intervals resample questions.",
            *abstentions_in(metrics),
        ],
        "best_within": ["target", "dataset", "signal"],
    }
    return table


def ablation_changes(metrics: pd.DataFrame) -> pd.DataFrame:
    """Every variant minus the default on the same answers, in both spaces, Holm-corrected within a model."""
    spaces = [differences(metrics, space="linguistic", variants=True)]
    spaces.append(differences(metrics, space="signal", variants=True))
    rows = in_domain(pd.concat(spaces))
    rows = rows[
        (rows["versus"] == "default") & (rows["method"] == "ralc") & rows["metric"].isin(SHOWN)
    ].copy()
    index = ["target", "dataset", "space", "signal", "variant"]
    table = widen(rows, index, SHOWN, ["value", "ci_low", "ci_high", "p_value"])
    table.attrs = {
        "title": "Ablations minus the default, on the same answers",
        "notes": [
            _what_changed(),
            families.stated(rows),
            *abstentions_in(metrics),
        ],
        "difference": True,
    }
    return table


def protocols(metrics: pd.DataFrame) -> pd.DataFrame:
    """The run's protocol and those beside it in signal space, before and after the map, in-domain.

    Returns
    -------
    DataFrame, one row a (target, dataset, signal, method), columns (protocol, quantity, part).
    """
    rows = in_domain(metrics[(metrics["space"] == "signal") & (metrics["subset"] == "all")])
    rows = rows[(rows["versus"] == "none") & (rows["variant"] == DEFAULT) & rows["metric"].isin(SHOWN)]
    keys = ["target", "dataset", "signal", "method"]
    tables = {
        name: widen(rows[rows["protocol"] == name], keys, SHOWN, INTERVAL)
        for name in in_order(rows["protocol"])
    }
    table = pd.concat(tables, axis=1, names=["protocol"])
    table.attrs = {
        "title": "Protocols side by side, in signal space",
        "notes": [
            "The same answers, samples, grades and split; what differs are the fits of signals and maps. Linguistic "
            "confidence is read once, by the run's own protocol.",
            *abstentions_in(metrics, apart="signal space"),
        ],
    }
    return table


def _signal_space(metrics: pd.DataFrame) -> pd.DataFrame:
    """Plain rows of the run's protocol in signal space, in-domain, whole datasets, all variants."""
    return in_domain(_plain(metrics, "signal")).query("subset == 'all'")


def _plain(metrics: pd.DataFrame, space: str) -> pd.DataFrame:
    """Plain rows of one space, all variants."""
    rows = metrics[(metrics["protocol"] == main_protocol(metrics)) & (metrics["versus"] == "none")]
    return one_reader(rows[rows["space"] == space], main_reader(metrics))


def _by_variant(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of what an ablation made anew, and the default beside it."""
    made = rows["variant"].str.startswith(("hedges=", "lexicon=", "loop=", "aim="))
    return rows[made | (rows["variant"] == DEFAULT)]


def _what_changed() -> str:
    return (
        "hedges: how many the rewriter is given; lexicon: a lexicon thinned to so many expressions at even ranks, the "
        "phrases that people were asked about, or with the hedges that readers apart from the loop would leave "
        "out, too (unscreened); "
        "loop=open: the text is not chosen by how it is read; aim=decision: it is to say what people decide best by; "
        "map and bins: in signal space."
    )
