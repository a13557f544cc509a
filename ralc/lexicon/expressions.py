"""The hedging expressions that a lexicon is built from: ours, or a file of the user's own."""

from collections import Counter
from pathlib import Path

import pandas as pd

from ralc.english.frames import FRAMES
from ralc.io.rows import read_rows
from ralc.lexicon.committed import KINDS, POLARITIES, REGISTERS, committed
from ralc.lexicon.own import OWN, own_readings
from ralc.lexicon.proposed import guess_kind, guess_polarity

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
    words (`ralc.lexicon.proposed.guess_kind`). With own readings
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
