"""Reading: each distinct text once, by the evaluator in the loop and by the independent judge (paper section 3.1)."""

from collections.abc import Iterable, Sequence

import pandas as pd

from ralc import readers


def distinct(tables: Iterable[pd.DataFrame]) -> list[str]:
    """Return the distinct texts of some tables with a `text` column, sorted."""
    return sorted(set().union(*(table["text"].dropna() for table in tables)))


def read(texts: Sequence[str], names: Iterable[str], audience: dict[str, str] | None = None) -> pd.DataFrame:
    """Return the readings table of `texts` by the named reader models: text, reader, alpha, beta, readings.

    `audience` narrows the reader `cues` to the people it is estimated from (see `ralc.readers`). A reader
    model gives the distribution itself, so its number of readings is 0.
    """
    parts = []
    for name in dict.fromkeys(names):
        reader = readers.load(name, audience=audience) if name == "cues" else readers.load(name)
        confidence = reader.read(texts)
        parts.append(
            pd.DataFrame({"text": texts, "reader": name, "alpha": confidence.alpha, "beta": confidence.beta})
        )
    return pd.concat(parts, ignore_index=True).assign(readings=0)
