"""The hedging expressions that a lexicon is built from: ours, or a file of the user's own."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from ralc.english import FRAMES
from ralc.io.rows import read_rows
from ralc.lexicon.committed import KINDS, POLARITIES, REGISTERS, committed
from ralc.lexicon.wording import guess_kind, guess_polarity

#: Columns of the user's file with readings of an expression: a pair, and the number of readings behind it.
PAIRS = (("mean", "sd"), ("alpha", "beta"))
OWN = ("own_alpha", "own_beta", "own_n")
#: Largest parameter of a reading: that of a saved calibrator's.
LARGEST = 1e12
COLUMNS = {"frame": tuple(FRAMES), "kind": KINDS, "register": REGISTERS, "polarity": POLARITIES}


def load_hedges(
    path: str | Path | None = None, *, extend: bool = False, sourced: pd.DataFrame | None = None
) -> pd.DataFrame:
    """The expressions with source and grammatical frame, sorted by expression.

    Parameters
    ----------
    path
        A CSV of the user's own with the columns ``expression`` and ``frame`` (``source``, ``kind``, ``register``,
        ``polarity`` where known; ``mean``, ``sd`` or ``alpha``, ``beta``, and ``n``, of own readings), which replaces
        the committed list.
    extend
        Whether the user's list is added to the committed one in place of replacing it; the user's entry wins.
    sourced
        Expressions that models proposed (`ralc.lexicon.source_hedges`), in place of the committed list.

    Returns
    -------
    DataFrame with the columns ``expression``, ``source``, ``frame``, ``kind``, ``register``, ``polarity``. What a list
    does not say of an expression is as in the committed list; of one that is not there the kind is guessed from its
    words (`ralc.lexicon.wording.guess_kind`). With own readings
    there are ``own_alpha``, ``own_beta``, ``own_n``, null for an expression without.

    Raises
    ------
    ValueError
        If the file lacks a column, is empty, or a row is blank, repeated or of an unknown frame; the first such
        row is named.

    Examples
    --------
    >>> hedges = load_hedges()
    >>> len(hedges) >= 150, list(hedges.columns)
    (True, ['expression', 'source', 'frame', 'kind', 'register', 'polarity'])
    """
    ours = _committed() if sourced is None else sourced
    if path is None:
        return check_hedges(ours, "hedges.csv" if sourced is None else "sourced hedges")
    theirs = check_hedges(_read_user_file(Path(path)), str(path))
    if not extend:
        return theirs
    kept = ours[~ours["expression"].str.lower().isin(theirs["expression"].str.lower())]
    return check_hedges(pd.concat([kept, theirs], ignore_index=True), str(path))


def _committed() -> pd.DataFrame:
    return pd.DataFrame(committed(), dtype=str)


def _read_user_file(path: Path) -> pd.DataFrame:
    rows = read_rows(path, "csv")
    if not rows:
        raise ValueError(f"{path}: no expressions")
    repeated = [name for name, count in Counter(map(str.lower, rows[0].cells)).items() if count > 1]
    if repeated:
        raise ValueError(f"{path}, line 1, column {repeated[0]!r}: stands twice, whatever its case; keep one")
    named = [{column.lower(): cell for column, cell in row.cells.items()} for row in rows]
    table = pd.DataFrame(named, dtype=str)
    own = [own_readings(cells, row.where) for row, cells in zip(rows, named, strict=True)]
    if any(own):
        table = table.join(pd.DataFrame(own, columns=OWN, dtype=float))
    # The first row of a table is line 2: so a fault has the line of the file, blank ones counted.
    table.index = pd.Index([row.line - 2 for row in rows])
    return table.assign(source=table.get("source", "user"))


def check_hedges(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return a table of expressions, checked, trimmed and sorted by expression.

    Raises
    ------
    ValueError
        As for :func:`load_hedges`; `name` is the table's name in the message.
    """
    missing = [column for column in ("expression", "source", "frame") if column not in table]
    if missing:
        raise ValueError(f"{name}: no column {missing[0]!r}; it needs expression and frame")
    if table.empty:
        raise ValueError(f"{name}: no expressions")
    own = [column for column in OWN if column in table]
    texts = described(table)[["expression", "source", *COLUMNS]].apply(lambda column: column.str.strip())
    table = texts.join(table[own])
    for place, row in zip(table.index, table.to_dict("records"), strict=True):
        line = place + 2
        if not row["expression"]:
            raise ValueError(f"{name}: line {line} has no expression")
        for column, allowed in COLUMNS.items():
            if row[column] not in allowed:
                raise ValueError(
                    f"{name}: line {line}: {column} {row[column]!r} of {row['expression']!r} is not one of "
                    f"{', '.join(allowed)}"
                )
    repeated = table["expression"].str.lower().duplicated()
    if repeated.any():
        at = int(repeated.to_numpy().argmax())
        raise ValueError(
            f"{name}: line {table.index[at] + 2}: {table['expression'].iloc[at]!r} stands there twice"
        )
    order = table["expression"].str.lower().argsort(kind="stable")
    return table.iloc[order].reset_index(drop=True)


def described(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with a kind, register and polarity for every expression, guessed where none is known."""
    known = _committed().set_index("expression")
    guesses = {"kind": guess_kind, "register": lambda _: "neutral", "polarity": guess_polarity}
    for column, guess in guesses.items():
        told = table[column] if column in table else pd.Series("", index=table.index)
        ours = table["expression"].map(known[column])
        guessed = table["expression"].map(guess)
        table = table.assign(**{column: told.where(told.fillna("") != "", ours.fillna(guessed))})
    return table


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
