"""Fetch the human studies that have a stable public address, each file checked against a known SHA-256.

    python -m studies.download DIR

writes them into DIR, laid out as :mod:`ralc.human_benchmark.studies` reads them (one sub-folder a study), and
names those that must be had from their authors. A file that is there already and has the right checksum is left as
it is. Nothing in a run calls this: the evaluators carry their figures, and ``people.data`` takes a folder that is
there.

Addresses: a file pinned to a commit was seen there at the size of the copy that the evaluators were estimated from
(capphrase, wadefagen). ``zonination/probly.csv`` is given by its branch, as the many who read it give it; no commit
with its text could be seen. The checksums are those of our copies, so what changed upstream is refused, not read.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

import pooch

from ralc import io
from ralc.io.files import Source
from studies.sources import PROVENANCE

_GITHUB = "https://raw.githubusercontent.com"
_CAPPHRASE = f"{_GITHUB}/adamkucharski/CAPphrase/07cba5f9731dde9ed1db06d2aca3e4fc112c3184/data"
_TIDYTUESDAY = f"{_GITHUB}/rfordatascience/tidytuesday"
_TIDY_FOLDER = "data/2026/2026-03-10"


#: Every file with a stable address, by its place in the folder of the studies.
SOURCES: Mapping[str, Source] = {
    # The three large tables of CAPphrase are taken from the copy that TidyTuesday publishes: pinned and of our size.
    "capphrase/absolute_judgements.csv": Source(
        f"{_TIDYTUESDAY}/41ef6a3656221759669636096f74384af12b3500/{_TIDY_FOLDER}/absolute_judgements.csv",
        "b56b7b380ae5d8743cfdddee0fd0ec08370940d163a574d916d3f555a68a3dfb",
    ),
    "capphrase/respondent_metadata.csv": Source(
        f"{_TIDYTUESDAY}/41d2a2171e504a83f8103fb97fa7e7abee46ad61/{_TIDY_FOLDER}/respondent_metadata.csv",
        "af44b73e2a18501b96ecd2babc12a019be97e33a838e4f87866282a2cf7fc835",
    ),
    "capphrase/yardstick_efsa.csv": Source(
        f"{_CAPPHRASE}/yardstick_efsa.csv", "421cd0d176c57491a1882f1c0c58f1bfec58c6b3e3f0e5472f4f1c9611053e86"
    ),
    "capphrase/yardstick_ipcc.csv": Source(
        f"{_CAPPHRASE}/yardstick_ipcc.csv", "99f7ae91cc19da03dc0de99ecd1e62496a2a091c46bf2667110205f49a9b2803"
    ),
    "capphrase/yardstick_nato.csv": Source(
        f"{_CAPPHRASE}/yardstick_nato.csv", "5c2f7f68d805dad753674f3f12a1d356b53913f11f1d7cf34178ca62d93fefa4"
    ),
    "capphrase/yardstick_uk.csv": Source(
        f"{_CAPPHRASE}/yardstick_uk.csv", "8174e950e8e892292ce58f8e29b4ac173fcc9a9fa789d3fbaf330832c72738ac"
    ),
    "capphrase/yardstick_us_nic.csv": Source(
        f"{_CAPPHRASE}/yardstick_us_nic.csv",
        "52aa4a2084e7ea47b0b04993d569398d37742958e968d66ed356bff08e410aa4",
    ),
    "wadefagen/survey-results.csv": Source(
        f"{_GITHUB}/wadefagen/datasets/d588d8f527f04771f8d3cc630cc29da53024cbc0/"
        "Perception-of-Probability-Words/survey-results.csv",
        "9fe1e4fbb463c04a3dbbf430dd5b094a9717e99263d55b9e4cb2c60e3c8ee285",
    ),
    "zonination/probly.csv": Source(
        f"{_GITHUB}/zonination/perceptions/master/probly.csv",
        "235c1b22fc8bd096f8235b93e8d4801bcaf5b6f042dd90cc81a0d3afa45e4ee9",
    ),
}
#: What has no stable address that could be established: the files to ask the authors for, by study.
NO_ADDRESS: Mapping[str, tuple[str, ...]] = {
    "tao2025": (
        "tao2025/full_dataset_10000x5_raw.csv",
        "tao2025/linguistic_confidence_benchmark_1622.csv",
        "tao2025/linguistic_confidence_human_anno_training_set.jsonl",
        "tao2025/eval_results_1622_llm_scorers.csv",
    )
}


def fetch(folder: Path, sources: Mapping[str, Source]) -> tuple[list[Path], dict[str, str]]:
    """Fetch every file of `sources` into `folder`; one that fails does not keep the others away.

    Returns
    -------
    The files that are there with the right checksum, and why each of the others is not, by place.
    """
    fetched = []
    failed = {}
    for place, source in sources.items():
        try:
            fetched.append(io.files.fetch(folder / place, source))
        except ValueError as error:
            failed[place] = str(error)
    return fetched, failed


def report(fetched: list[Path], failed: Mapping[str, str]) -> list[str]:
    """Return lines on each file that is there, those that are not by reason, and those without an address."""
    lines = [f"there: {path}" for path in fetched]
    for why in dict.fromkeys(failed.values()):  # a missing network is told once, not for every file
        places = ", ".join(place for place, reason in failed.items() if reason == why)
        lines.append(f"not fetched: {places}: {why}")
    for study, files in NO_ADDRESS.items():
        lines.append(
            f"no stable address: {', '.join(files)}. To be had from the authors: {PROVENANCE[study]}"
        )
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Fetch what can be fetched; the exit status is 1 if a file with an address could not be had."""
    parser = argparse.ArgumentParser(prog="python -m studies.download", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder to write the studies into")
    folder = parser.parse_args(arguments).folder
    pooch.get_logger().setLevel("WARNING")  # what it has to say of each file, the report says
    fetched, failed = fetch(folder, SOURCES)
    for line in report(fetched, failed):
        print(line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
