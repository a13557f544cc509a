"""Whether words are read as they were meant: by people's own numbers, and by each reader apart from the loop."""

import numpy as np
import pandas as pd

from ralc.conditions import ASKED, DEFAULT, PEOPLE
from ralc.results.labels import in_order, label, number
from ralc.results.select import in_domain, main_protocol, main_reader, main_target, one, readers_of
from ralc.results.worth import checks, worth
from ralc.statistics import FEWEST

#: Read as meant: the correlation is at least this share of what the reader's reliability lets it be.
AS_MEANT = 0.8


def read_as_meant(metrics: pd.DataFrame, signal: str) -> str:
    """Return the one sentence that says whether RALC's words are read as meant, by each line of evidence there is."""
    apart = readers_of(metrics)[1:] or [main_reader(metrics)]
    lines = [_line(metrics, signal, PEOPLE, ASKED), *(_line(metrics, signal, judge, DEFAULT) for judge in apart)]
    return " ".join(line for line in lines if line) or "Nothing was read, so nothing can be said of how words are read."


def _line(metrics: pd.DataFrame, signal: str, reader: str, variant: str) -> str:
    """What one reader says: whether, by which correlations, and what they are worth."""
    about = {"protocol": main_protocol(metrics), "target": main_target(metrics), "reader": reader, "variant": variant}
    about |= {"method": "ralc", "signal": signal, "subset": "all", "versus": "none"}
    said = in_domain(metrics[np.logical_and.reduce([metrics[column] == value for column, value in about.items()])])
    # Abstentions pass unhedged and sound as sure as they are: no words of ours are read there.
    rows = said[said["metric"] == "spearman_mean_hedged"].dropna(subset=["value"])
    if rows.empty:
        return ""
    who = "By people's own numbers of the phrases" if reader == PEOPLE else f"By {label(reader)}"
    shown = ", ".join(f"{label(d)} {one(rows, dataset=d)['value']:.2f}" for d in in_order(rows["dataset"]))
    parts = [f"Spearman ρ of meant and read confidence: {shown}", _left_out(said), worth(reader, readers_of(metrics)[0])]
    end = f" ({'; '.join(part for part in parts if part)})."
    if rows["n"].min() < FEWEST:
        return f"{who} too few answers were read to say whether words are read as meant{end}"
    bound = AS_MEANT * np.sqrt(checks(reader).get("reliability", 1.0))
    good = rows[rows["value"] >= bound]["dataset"]
    if len(good) == len(rows):
        return f"{who} RALC's words are read as meant{end}"
    if good.empty:
        return f"{who} RALC's words are not read as meant{end}"
    return f"{who} RALC's words are read as meant on {' and '.join(map(label, good))} alone{end}"


def _left_out(rows: pd.DataFrame) -> str:
    """The share of answers that were passed unhedged, where there are any, as a clause."""
    rates = rows[(rows["metric"] == "passed_rate") & (rows["value"] > 0)]
    shares = [f"{label(row['dataset'])} {number(row['value'], 'passed_rate')} %" for _, row in rates.iterrows()]
    return f"answers passed unhedged are left out: {', '.join(shares)}" if shares else ""
