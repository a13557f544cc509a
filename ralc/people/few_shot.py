"""SmolLM2 as a few-shot reader against people.

    python -m ralc.people.few_shot --data DIR --journal FILE

asks SmolLM2 on the embedded engine about the 1,622 sentences, the phrases, and `RAW_SENTENCES` of the held-out raw
sentences of the studies in DIR (4,500 short prompts, a quarter of an hour on two idle cores; FILE keeps the answers, so
that a killed run goes on) and writes ``ralc/data/human_few_shot.csv``.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from ralc.io import write_text
from ralc.llm import complete, from_table
from ralc.llm.engines import build
from ralc.llm.tables import responses_table
from ralc.people.committed import DIGITS, FILES, SEED, USED
from ralc.people.fit_few_shot import MODEL
from ralc.people.studies import PROVENANCE
from ralc.people.yardsticks import benchmark_texts, human_benchmark, studies
from ralc.pipeline.texts import list_texts
from ralc.readers import few_shot

#: Of the raw sentences, in the order of a random draw.
RAW_SENTENCES = 600


def asked_texts(folder: Path, *, raw_sentences: int = RAW_SENTENCES, seed: int = SEED) -> list[str]:
    """The texts of the benchmark that the model is asked about; of the raw sentences a random sample."""
    found = studies(folder)
    raw = found["tao_raw"].texts.drop_duplicates().sample(raw_sentences, random_state=seed)
    others = (study.texts for name, study in found.items() if name != "tao_raw")
    return sorted(set(raw).union(*others))


def measure(folder: Path, journal: Path, *, resamples: int = 1000, seed: int = SEED) -> pd.DataFrame:
    """Rows of the benchmark (`human_benchmark`) of the reader ``few_shot``; n says how many texts were asked."""
    requests = few_shot.render(list_texts(asked_texts(folder)), model=MODEL)
    responses = complete(from_table(requests), lambda: build(MODEL), journal)
    readings = few_shot.read(requests, responses_table(responses)).set_index("text")
    readings = readings.reindex(benchmark_texts(folder)).reset_index().assign(reader=few_shot.NAME)
    rows = human_benchmark(readings, folder, resamples=resamples, rng=np.random.default_rng(seed))
    return rows[rows["reader"] == few_shot.NAME]


def main() -> None:
    """Write the committed rows."""
    parser = argparse.ArgumentParser(
        prog="python -m ralc.people.few_shot", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the studies")
    parser.add_argument("--journal", type=Path, required=True, help="where the model's answers are kept")
    arguments = parser.parse_args()
    rows = measure(arguments.data, arguments.journal)
    head = [
        f"SmolLM2-135M-Instruct ({MODEL['model']}) as a few-shot reader, by:",
        f"python -m ralc.people.few_shot --data DIR --journal FILE. Seed {SEED}.",
        *(f"{study}: {PROVENANCE[study]}" for study in USED),
    ]
    lines = "".join(f"# {line}\n" for line in head)
    write_text(lines + rows.round(DIGITS).to_csv(index=False, lineterminator="\n"), FILES["few_shot"])


if __name__ == "__main__":
    main()
