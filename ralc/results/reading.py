"""Whether words are read as they were meant: by people's own numbers, and by each reader apart from the loop.

What a reader is worth was measured once, on human studies, and is carried with the package
(``ralc/data/reader_checks.csv``, `ralc.people.checks`): whose errors it makes, and how much of what it reads is the
hedge. Readers are known there by the names of the packaged ones, which no other reader may bear; the errors were
compared with those of `LOOP`, so that of another reader in the loop nothing is said.
"""

from functools import cache

import numpy as np
import pandas as pd

from ralc import data
from ralc.conditions import ASKED, DEFAULT, PEOPLE
from ralc.results.labels import in_order, label, number
from ralc.results.select import in_domain, main_protocol, main_reader, main_target, one, readers_of
from ralc.statistics import FEWEST

#: The reader in the loop with whose errors those of the others were compared.
LOOP = "cues"
#: A reader shares nothing that matters with the loop, and is valid, within these bounds (SPEC: four bars).
MOST = {"error_correlation": 0.45, "sd_within_hedge": 0.06}
LEAST_VALID = {"pearson": 0.85, "spearman_mean": 0.72}
#: Read as meant: the correlation is at least this share of what the reader's reliability lets it be.
AS_MEANT = 0.8


@cache
def checks(reader: str) -> dict[str, float]:
    """What was measured of a packaged reader: validity on sentences, shared errors, reliability.

    >>> sorted(checks("probe"))
    ['error_correlation', 'pearson', 'reliability', 'sd_within_hedge', 'spearman_mean']
    >>> checks("nobody")
    {}
    """
    rows = pd.read_csv(data.path("reader_checks.csv"), comment="#")
    own = rows[rows["reader"] == reader]
    return dict(zip(own["metric"], own["value"].astype(float), strict=True))


def independent(reader: str) -> bool:
    """Whether a reader meets the four bars; False of one that was never checked.

    >>> independent("judge")
    False
    """
    found = checks(reader)
    high = all(found.get(metric, -np.inf) >= bound for metric, bound in LEAST_VALID.items())
    return high and all(found.get(metric, np.inf) <= bound for metric, bound in MOST.items())


def worth(reader: str, loop: str = LOOP) -> str:
    """What a reader's numbers are worth beside a reader in the loop, as a clause; empty where it was never checked."""
    found = checks(reader)
    if "reliability" not in found:
        return ""
    parts = [f"reliability {found['reliability']:.2f}, so that no ρ can pass {np.sqrt(found['reliability']):.2f}"]
    if "error_correlation" in found and loop != LOOP:
        parts.append(f"whether it errs where the in-loop reader ({label(loop)}) errs was not measured")
    elif "error_correlation" in found:
        parts.append(f"errors on human scores correlate {found['error_correlation']:.2f} with the in-loop reader's")
        if not independent(reader):
            parts.append("not independent of the loop by the four bars")
    return "; ".join(parts)


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
