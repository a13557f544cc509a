"""Long answers with a confidence a claim: chat replies of `tests.harm` with three claims or more, at five targets."""

from collections.abc import Iterator

import numpy as np

from ralc.english import claim_units
from tests import harm
from tests.bench.harness import Measurement


def run() -> Iterator[Measurement]:
    """Claims hedged, read within .05, changed and missed; lines that claim nothing and are lost."""
    counted = [(one["reply"], len(claim_units(one["reply"]))) for one in harm.replies() if one["claims"]]
    replies = [(reply, claims) for reply, claims in counted if claims >= 3]
    texts = [reply for reply, _ in replies]
    claims, lost = [], 0
    for target in harm.TARGETS:
        scores = [[target] * count for _, count in replies]
        for made in harm.as_it_comes().rewrite(texts, scores):
            claims += made.sentences
            lost += _lines_lost(made.original, made.text, [one.original for one in made.sentences])
    n = f"n = {len(claims)} claims of {len(replies)} replies at {len(harm.TARGETS)} targets"
    hedged = float(np.mean([bool(one.hedge) for one in claims]))
    within = float(np.mean([one.calibrated for one in claims]))
    missed = sum(one.changed and not one.calibrated for one in claims)
    yield Measurement("claims with a hedge", round(hedged, 4), "", note=n)
    yield Measurement("claims read within .05", round(within, 4), "", ">=", 0.85, note=n)
    yield Measurement("changed, and read otherwise than meant", missed, "", "<", 1, note=n)
    yield Measurement("lines lost", lost, "", "<", 1, note=n)


def _lines_lost(original: str, text: str, claims: list[str]) -> int:
    """How many lines that hold no claim stand in an answer and not in its rewrite."""
    kept = set(text.split("\n"))
    silent = (line for line in original.split("\n") if not any(one.split("\n")[0] in line for one in claims))
    return sum(line not in kept for line in silent if line.strip())
