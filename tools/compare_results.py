"""Compare the results tables of two runs: ``python -m tools.compare_results BEFORE AFTER`` (folders of results).

Prints, for each table, rows that only one run has, and the largest difference of every number by metric.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

CONDITION = ["protocol", "target", "dataset", "train", "signal", "method", "space", "evaluator", "variant"]
KEYS = {
    "items": [*CONDITION, "question_id"],
    "metrics": [*CONDITION, "subset", "versus", "metric"],
}


def compare(before: pd.DataFrame, after: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return the largest difference of each number column, by metric; `rows_*` count what one side lacks."""
    both = before.merge(after, on=keys, how="outer", suffixes=("_before", "_after"), indicator="side")
    numbers = [c for c in before.select_dtypes("number") if c in after and c not in keys]
    rows = []
    for name, part in both.groupby("metric" if "metric" in keys else "space", sort=False):
        met = part[part["side"] == "both"]
        row = {"of": name, "rows": len(met)}
        row |= {f"only_{s}": (part["side"] == f"{s}_only").sum() for s in ("left", "right")}
        for column in numbers:
            a, b = (met[f"{column}_{side}"].astype("float64").to_numpy() for side in ("before", "after"))
            row[f"{column}: null in one"] = (np.isnan(a) != np.isnan(b)).sum()
            both_there = ~np.isnan(a) & ~np.isnan(b)
            row[column] = np.abs(a - b)[both_there].max() if both_there.any() else 0.0
        rows.append(row)
    return pd.DataFrame(rows).set_index("of")


def main(before: str, after: str) -> None:
    """Print the comparison of every table."""
    for table, keys in KEYS.items():
        gaps = compare(
            *(pd.read_parquet(Path(folder) / f"{table}.parquet") for folder in (before, after)), keys
        )
        print(f"== {table}\n{gaps.loc[:, (gaps != 0).any()].to_string()}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python -m tools.compare_results BEFORE AFTER (folders of results)")
    for folder in sys.argv[1:]:
        if not Path(folder, "items.parquet").is_file():
            sys.exit(f"{folder}: no folder of a finished run (items.parquet)")
    main(*sys.argv[1:])
