"""What is particular to a user's own hedges: readings that they bring, and whether they can be used at all."""

from collections.abc import Mapping

from ralc.lexicon.proposed import guess_frame

#: Columns of the user's file with readings of an expression: a pair, and the number of readings behind it.
PAIRS = (("mean", "sd"), ("alpha", "beta"))
OWN = ("own_alpha", "own_beta", "own_n")
#: Largest parameter of a reading: that of a saved calibrator's.
LARGEST = 1e12
#: What its words make of an expression that may stand so.
_FITS: dict[str, set[str | None]] = {
    "adverb": {"adverb", "opener"},
    "clause": {"clause", "standalone"},
    "opener": {"opener", "adverb"},
    "standalone": {"standalone", "clause", None},
    "tag": {"tag", "opener", None},
}
#: Words that wait for a noun.
_WAITING = frozenset(
    {"with", "of", "to", "for", "in", "on", "by", "a", "an", "the", "from", "at", "about", "against", "under"}
)


def own_readings(cells: Mapping[str, str], where: str) -> dict[str, float]:
    """Return what a row says of how its expression is read, `OWN`; empty if nothing.

    Raises
    ------
    ValueError
        If it says half of a pair, both, or no Beta distribution; `where` names the row.

    Examples
    --------
    >>> own_readings({"mean": "0.7", "sd": "0.1", "n": "40"}, "hedges.csv: line 2")
    {'own_alpha': 14.0, 'own_beta': 6.0, 'own_n': 40.0}
    """
    given = [pair for pair in PAIRS if any(cells.get(column) for column in pair)]
    if not given:
        return {}
    try:
        (pair,) = given
        first, second = (float(cells[column]) for column in pair)
        n = float(cells.get("n") or 1)
        if pair == ("mean", "sd"):
            first, second = _of_moments(first, second)
        if not all(1 / LARGEST <= value <= LARGEST for value in (first, second)) or n < 1 or n % 1:
            raise ValueError
    except (KeyError, ValueError):
        told = {column: cells[column] for column in (*PAIRS[0], *PAIRS[1], "n") if cells.get(column)}
        raise ValueError(
            f"{where}: {told} is no reading: mean in (0, 1) and sd below the root of mean (1 - mean), or alpha and "
            f"beta from {1 / LARGEST:g} to {LARGEST:g}; n is a count"
        ) from None
    return dict(zip(OWN, (round(first, 9), round(second, 9), n), strict=True))


def _of_moments(mean: float, sd: float) -> tuple[float, float]:
    """The parameters of the Beta distribution of a mean and a standard deviation; ValueError if there is none."""
    if not 0 < mean < 1 or not 0 < sd**2 < mean * (1 - mean):
        raise ValueError
    k = mean * (1 - mean) / sd**2 - 1
    return mean * k, (1 - mean) * k


def breaks(expression: str, frame: str) -> bool:
    """Return whether an expression in its frame makes a broken sentence, as far as its words tell.

    >>> breaks("consistent with", "adverb"), breaks("most likely", "adverb")
    (True, False)
    """
    return expression.split()[-1].lower() in _WAITING or guess_frame(expression) not in _FITS[frame]
