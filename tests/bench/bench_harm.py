"""What a rewrite does to 200 chat replies (`tests.harm`) at five targets: what it hedges, and what it harms."""

from collections.abc import Iterator

import numpy as np

from tests import harm
from tests.bench.harness import Measurement


def run() -> Iterator[Measurement]:
    """Bytes changed outside the hedged sentence, answers changed and missed, claims that are said as meant."""
    replies = harm.replies()
    changed, missed, said = [], 0, []
    for target in harm.TARGETS:
        for reply, made in zip(replies, harm.rewritten(replies, target), strict=True):
            changed.append(harm.outside(made.original, made.text, reply["claims"]))
            missed += made.changed and not made.calibrated
            if reply["claims"]:
                said.append(made.changed and made.calibrated)
    n = f"n = {len(replies)} at {len(harm.TARGETS)} targets"
    yield Measurement("bytes changed outside the hedged sentence", sum(changed), "bytes", "<", 1, note=n)
    yield Measurement("replies of which such bytes are changed", int(np.count_nonzero(changed)), "", note=n)
    yield Measurement("changed, and read otherwise than meant", missed, "", "<", 1, note=n)
    share = round(float(np.mean(said)), 4)
    yield Measurement(
        "of those that claim, hedged and read within .05", share, "", ">=", 0.7, note=f"n = {len(said)}"
    )
