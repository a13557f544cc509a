"""How much plain text the cue model takes for doubt: SQuAD's sentences, MMLU's choices, TruthfulQA's answers.

What an encyclopaedia or an examiner states is not hedged, but for a sentence in some hundred that truly is, and what is
to be filled in is no speaker's doubt: each share should be near 0. Rules were made on the sentences of SQuAD, and on
140 of MMLU's choices.
"""

import itertools
import random
from collections.abc import Iterator

import numpy as np

from ralc import datasets, evaluators
from ralc.english.normalisation import sentence_ends
from tests.bench.bench_labels import SHARED
from tests.bench.harness import Measurement

#: Characters of the shortest sentence, and words of the shortest choice, that state something.
SENTENCE, CHOICE = 20, 6
CHOICES = 6000


def run() -> Iterator[Measurement]:
    """The shares of texts that are read below .5 and below .7, by each reader of cues."""
    for source, texts in (
        ("SQuAD's sentences", sentences()),
        ("MMLU's choices", choices()),
        ("TruthfulQA's answers", answers()),
    ):
        for name in ("cue_model", "cue_model_b"):
            evaluator = evaluators.load(name)
            mean = evaluator.read([text for text in texts if not evaluator.unread(text)]).mean
            for bound in (0.5, 0.7):
                share = float(np.mean(mean < bound))
                yield Measurement(
                    f"{source} below {bound}, {name}", round(share, 4), "", note=f"n = {len(mean)}"
                )


def sentences() -> list[str]:
    """The sentences of SQuAD's paragraphs."""
    table = datasets.load("squad2", {"path": str(SHARED / "squad2/dev-v2.0.json.gz")})
    found = []
    for text in table["context"].unique():
        ends = [0, *sentence_ends(text), len(text)]
        found += [text[start:end].strip() for start, end in itertools.pairwise(ends)]
    return [sentence for sentence in found if len(sentence) >= SENTENCE]


def choices() -> list[str]:
    """Some of MMLU's choices."""
    table = datasets.load("mmlu", {"path": str(SHARED / "mmlu/test")})
    distinct = dict.fromkeys(
        choice for row in table["choices"] for choice in row if len(choice.split()) >= CHOICE
    )
    return random.Random(3).sample(list(distinct), CHOICES)


def answers() -> list[str]:
    """TruthfulQA's answers, right and wrong."""
    table = datasets.load("truthfulqa", {"path": str(SHARED / "truthfulqa/TruthfulQA.csv")})
    return list(dict.fromkeys(text for name in ("accepted", "wrong") for row in table[name] for text in row))
