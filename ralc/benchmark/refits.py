"""The in-loop reader fitted anew on one half of the people, against the other half.

    python -m ralc.benchmark.refits --data DIR

reads the studies in DIR and writes ``ralc/data/human_refits.csv`` with its provenance. The packaged reader knows all of
CAPphrase's respondents; here it is estimated as it is packaged but from one random half of them, and what it then reads
in each of the 19 phrases is set beside what the other half reads. New people, then, not new phrases.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from ralc.benchmark.committed import DATA, DIGITS, FILES, SEED
from ralc.benchmark.yardsticks import COLUMNS, bootstrap_rows
from ralc.io import write_text
from ralc.readers.estimate import estimate_cues
from ralc.readers.persons import phrase_figures
from ralc.readers.reader import Reader
from ralc.readers.studies import PHRASE_SENTENCES, PROVENANCE, read_capphrase, read_tao, read_tao_filtered

OTHER_HALF = "capphrase_other_half"  # the yardstick's name in the benchmark table


def halves(scores: pd.DataFrame, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of a random half of the persons (of an odd number the smaller), and those of the others.

    Raises
    ------
    ValueError
        If there are fewer than four persons: two in each half are needed for a spread.
    """
    persons = scores["person"].unique()
    if len(persons) < 4:
        raise ValueError(f"scores: {len(persons)} persons, at least 4 are needed to make halves")
    first = scores["person"].isin(rng.choice(persons, len(persons) // 2, replace=False))
    return scores[first], scores[~first]


def split_half(folder: Path, *, resamples: int = 1000, seed: int = SEED) -> pd.DataFrame:
    """Rows of the benchmark (`human_benchmark`) of ``cues`` fitted on one half of the people, on the other half."""
    rng = np.random.default_rng(seed)
    fitted_on, other = map(phrase_figures, halves(read_capphrase(folder), rng))
    reader = Reader(*estimate_cues(fitted_on, read_tao(folder), read_tao_filtered(folder)))
    read = reader.read([PHRASE_SENTENCES[phrase] for phrase in other["phrase"]])
    rows = bootstrap_rows(
        OTHER_HALF,
        "cues",
        (read.mean, other["mean"].to_numpy()),
        (np.sqrt(read.variance), other["sd_words"].to_numpy()),
        resamples=resamples,
        rng=rng,
    )
    return pd.DataFrame(rows)[COLUMNS]


def main() -> None:
    """Write the committed rows."""
    parser = argparse.ArgumentParser(
        prog="python -m ralc.benchmark.refits", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the studies")
    rows = split_half(parser.parse_args().data)
    head = [
        "The in-loop reader fitted on one half of CAPphrase's respondents, against the other half, by:",
        f"python -m ralc.benchmark.refits --data DIR. Seed {SEED}.",
        *(f"{study}: {PROVENANCE[study]}" for study in ("capphrase", "tao2025")),
    ]
    lines = "".join(f"# {line}\n" for line in head)
    write_text(lines + rows.round(DIGITS).to_csv(index=False, lineterminator="\n"), DATA / FILES["refits"])


if __name__ == "__main__":
    main()
