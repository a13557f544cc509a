"""What only the estimation reads of the human studies, and where each of them comes from."""

from pathlib import Path

import pandas as pd

from ralc.human_benchmark.studies import read_table

#: Licence, version and citation of every study, as carried into the figures.
PROVENANCE = {
    "capphrase": "CAPphrase quiz, absolute judgements: 5,174 respondents x 19 phrases, CC BY 4.0, Kucharski 2026, "
    "doi 10.5281/zenodo.18750055",
    "tao2025": "Tao et al. 2025, arXiv 2509.24202: 10,000 hedged answers x 5 human scores; no licence file, only "
    "figures computed from it are kept",
    "wadefagen": "Perception of probability words, W. Fagen-Ulmschneider: 123 respondents x 17 phrases; no licence "
    "file, only figures computed from it are kept",
    "zonination": "Perceptions of probability, zonination: 46 respondents x 17 phrases, MIT",
    "belem2024": "Perceptions of linguistic uncertainty, experiment 1: 94 people x 14 expressions, Belem et al. "
    "2024 (EMNLP), UCIDataLab/llm-uncertainty-perceptions; no licence file, only figures computed from it are kept",
    "yardsticks": "Yardsticks of IPCC, UK PHIA, US NIC, NATO and EFSA: official ranges, as listed beside CAPphrase",
}


def read_tao_filtered(folder: Path) -> pd.DataFrame:
    """Return Tao et al.'s training set, ``text, score``: means of the raw scores that lie in the intended band."""
    place = folder / "tao2025/linguistic_confidence_human_anno_training_set.jsonl"
    return read_table(place, "text", "score", reader=pd.read_json, lines=True)


def read_beliefs(folder: Path) -> pd.DataFrame:
    """Return ``person, phrase, score`` of Belem et al.: "X believes it's likely that ...", who were not left out."""
    needed = ("person", "uncertainty_expression", "response", "include_participant")
    table = read_table(folder / "belem2024/experiment1.csv", *needed)
    kept = table[table["include_participant"] & (table["uncertainty_expression"] != "control")]
    columns = {
        "person": kept["person"],
        "phrase": kept["uncertainty_expression"],
        "score": kept["response"] / 100,
    }
    return pd.DataFrame(columns).reset_index(drop=True)


def read_yardsticks(folder: Path) -> pd.DataFrame:
    """Return the official yardsticks: ``source, phrase, low, high`` in [0, 1]."""
    tables = []
    for path in sorted((folder / "capphrase").glob("yardstick_*.csv")):
        table = read_table(path, "term", "low", "high")
        tables.append(
            pd.DataFrame(
                {
                    "source": path.stem.removeprefix("yardstick_"),
                    "phrase": table["term"].str.lower(),
                    "low": table["low"] / 100,
                    "high": table["high"] / 100,
                }
            )
        )
    return pd.concat(tables, ignore_index=True)
