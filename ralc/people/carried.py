"""The measured rows that the package carries, so that a report without the studies still shows them."""

import pandas as pd

from ralc import data

FILES = {
    "human_benchmark": data.path("human_benchmark.csv"),
    "human_benchmark_points": data.path("human_benchmark_points.csv"),
    "refits": data.path("human_refits.csv"),
    "checks": data.path("reader_checks.csv"),
}


def load_committed(table: str) -> pd.DataFrame:
    """A committed table, by its name.

    ``human_benchmark`` (as `human_benchmark` gives), ``human_benchmark_points``, and rows like the benchmark's:
    ``refits`` by `studies.refits`, ``checks`` by `studies.checks`.

    Raises
    ------
    ValueError
        If another table is asked for.

    Examples
    --------
    >>> load_committed("human_benchmark")["reader"].isin(["cues", "judge"]).any()
    np.True_
    """
    if table not in FILES:
        raise ValueError(f"no committed table {table!r}: choose one of {', '.join(FILES)}")
    return pd.read_csv(FILES[table], comment="#")


def with_committed(rows: pd.DataFrame, measured: str) -> pd.DataFrame:
    """The human benchmark's rows, `measured` in this run or beforehand, and below them those of other scripts.

    These are the refits of the packaged reader and the checks of the packaged readers, which no run makes anew.
    """
    parts = [load_committed(table).assign(measured="beforehand") for table in ("refits", "checks")]
    return pd.concat([rows.assign(measured=measured), *parts], ignore_index=True)
