"""What readers are worth, as it was measured once on human studies and is carried with the package.

``ralc/data/reader_checks.csv`` (`ralc.people.checks`) says whose errors a reader makes, and how much of what it reads
is the hedge. Readers are known there by the names of the packaged ones, which no other reader may bear; the errors were
compared with those of `LOOP`, so that of another reader in the loop nothing is said.
"""

from functools import cache

import numpy as np
import pandas as pd

from ralc import data
from ralc.results.labels import label

#: The reader in the loop with whose errors those of the others were compared.
LOOP = "cues"
#: A reader shares nothing that matters with the loop, and is valid over the whole scale, within these bounds: five
#: bars, the fifth (slope, and error of low ones) on hedges by themselves.
MOST = {"error_correlation": 0.45, "sd_within_hedge": 0.06, "low_error": 0.08}
LEAST_VALID = {"pearson": 0.85, "spearman_mean": 0.72, "hedge_slope": 0.8}


@cache
def checks(reader: str) -> dict[str, float]:
    """What was measured of a packaged reader: validity on sentences, shared errors, reliability.

    >>> sorted(checks("probe"))
    ['error_correlation', 'hedge_slope', 'low_error', 'pearson', 'reliability', 'sd_within_hedge', 'spearman_mean']
    >>> checks("nobody")
    {}
    """
    rows = pd.read_csv(data.path("reader_checks.csv"), comment="#")
    own = rows[rows["reader"] == reader]
    return dict(zip(own["metric"], own["value"].astype(float), strict=True))


def independent(reader: str) -> bool:
    """Whether a reader meets the five bars; False of one that was never checked.

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
    parts = [
        f"reliability {found['reliability']:.2f}, so that no ρ can pass {np.sqrt(found['reliability']):.2f}"
    ]
    # Errors are alike both ways.
    shared = checks(loop) if reader == LOOP else found
    if "error_correlation" in shared and LOOP not in (loop, reader):
        parts.append(f"whether it errs where the in-loop reader ({label(loop)}) errs was not measured")
    elif "error_correlation" in shared:
        parts.append(
            f"errors on human scores correlate {shared['error_correlation']:.2f} with the in-loop reader's"
        )
        if found.get("low_error", 0.0) > MOST["low_error"]:
            parts.append(
                f"a weak thermometer: hedges that mean at most .3 are off by {found['low_error']:.2f}"
            )
        if not independent(loop if reader == LOOP else reader):
            parts.append("not independent of the loop by the five bars")
    return "; ".join(parts)
