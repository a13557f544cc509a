"""One hedge over many contents: what an evaluator must read alike, whatever is hedged.

Contents are facts of worldfacts, answers of SQuAD 2.0 in a short sentence, and answers of TruthfulQA that are sentences
already; none hedges by itself. Most to teach with are of the last kind, whose words move a reading most.
An evaluator is taught with some contents and checked with others, and so with hedges. It is taught with phrases of the
surveys that ``cue_model_b`` knows, and checked with hedges of the built-in lexicon.
"""

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ralc.datasets.published import squad2, truthfulqa
from ralc.english import place_hedge, read_cues, sentences
from ralc.lexicon import load_hedges
from ralc.lexicon.expressions import SURVEYED_PHRASES
from studies.worldfacts_facts import subjects

#: The phrases to teach with, and none at all: those of the surveys that name no number.
TAUGHT = {
    "": ("", ""),
    **{
        phrase: written
        for phrase, written in SURVEYED_PHRASES.items()
        if phrase not in ("better than even", "about even", "realistic possibility", "remote chance")
    },
}
#: Contents of each kind to teach with and to check with, phrases a content is written with, hedges to check with.
TEACHING = (50, 70, 300)
CHECKING = (15, 20, 15)
PHRASES = 5
HEDGES = 40


def contents(folder: Path, seed: int, without: Collection[str] = ()) -> tuple[list[str], list[str]]:
    """Return sentences without a hedge, a full stop at the end: those to teach with, and others to check with.

    None of them is among `without`.
    """
    rng = np.random.default_rng(seed)
    facts = [s.state(key) for s in subjects().values() for key in s.answers]
    squad = squad2.load(folder / "squad2/dev-v2.0.json.gz")["accepted"]
    short = [f"It is {a[0]}." for a in squad if a and len(a[0].split()) <= 6 and a[0][-1] not in ".!?"]
    truthful = truthfulqa.load(folder / "truthfulqa/TruthfulQA.csv")["accepted"]
    whole = [f"{a[0].rstrip('.')}." for a in truthful if 4 <= len(a[0].split()) <= 12]
    whole = [text for text in whole if any(one.kind == "claim" for one in sentences(text))]
    taught = []
    checked = []
    for kind, teach, check in zip((facts, short, whole), TEACHING, CHECKING, strict=True):
        bare = sorted(text for text in {*kind}.difference(without) if not read_cues(text))
        drawn = rng.permutation(bare)[: check + teach].tolist()
        checked += drawn[:check]
        taught += drawn[check:]
    return taught, checked


def taught(sentences: Sequence[str], seed: int) -> pd.DataFrame:
    """Return each of some contents under a few of the phrases: ``phrase, text``; an empty phrase is none."""
    rng = np.random.default_rng(seed)
    rows = [
        (phrase, hedged(sentence, *TAUGHT[phrase]))
        for sentence in sentences
        for phrase in rng.choice(list(TAUGHT), PHRASES, replace=False)
    ]
    return pd.DataFrame(rows, columns=["phrase", "text"])


def checked(sentences: Sequence[str], seed: int) -> pd.DataFrame:
    """Return each of some contents under each of `HEDGES` of the built-in list that are no phrase of `taught`."""
    hedges = load_hedges()
    hedges = hedges[
        (hedges["frame"] != "standalone")
        & ~hedges["expression"].isin([hedge for hedge, _ in TAUGHT.values()])
    ]
    drawn = hedges.sample(HEDGES, random_state=seed)
    rows = [
        (hedge, hedged(sentence, hedge, frame))
        for hedge, frame in zip(drawn["expression"], drawn["frame"], strict=True)
        for sentence in sentences
    ]
    return pd.DataFrame(rows, columns=["hedge", "text"])


def hedged(sentence: str, hedge: str, frame: str) -> str:
    """Return a sentence with a hedge in its plainest place; as it is without one.

    >>> hedged("The capital of Kenya is Nairobi.", "probably", "adverb")
    'The capital of Kenya is probably Nairobi.'
    """
    return place_hedge(hedge, frame, sentence)[0] if hedge else sentence
