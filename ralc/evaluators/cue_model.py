"""Evaluators by grammar: from the cues of a text to the distribution of the confidence that people read in it.

The place of a text on the scale is computed in log-odds. Every cue has a value: its class's, plus what was
learned of the expression itself, plus the effect of its degree word. The values of several cues are joined
by a soft minimum, because the most doubtful cue decides most of a reading (measured: see the figures).
A text without any cue has the value of the class ``bare``.

Only cues are read, never content. A term of word sequences, tried on the same sentences, added 0.008 to the Spearman
correlation on the 1,622 (0.770 for 0.762). It also read place names (SD 0.02 over contents under one hedge).
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ralc import data
from ralc.beta import Beta
from ralc.beta.validation import Floats
from ralc.english import Cue, Sentence, parse_ahead, read_cues, sentences
from ralc.evaluators.evaluator import EvaluatorModel, of_spread

LOGIT_LIMIT = 4.0  # the scale ends at 0.018 and 0.982: nobody's mean reading of any phrase lies beyond
#: Least share of the sentence that answers.
FIRST_SHARE = 0.5
#: So many cues of comments are heard in each sentence, so that a text of comments alone takes linear time.
COMMENTS = 50
#: Where a text may hold a second sentence; one that does not needs no parse.
_SECOND = re.compile(r"[.!?][\"'”’)]*\s+[\"'“(]?[A-Z0-9]|\n")


class GrammarModel(EvaluatorModel):
    """A model of how people read cues, from a table of figures (``ralc/data/evaluator_*.json``).

    Its distribution of readings is over people. The mean is the confidence that they take from a text on average, the
    concentration how far they agree. That is the spread between persons for the same words, after each person's
    general tendency to answer high or low was removed.
    """

    #: The committed table.
    file: ClassVar[str]
    cues_alone = True

    def __init__(self, name: str = "cue_model", figures: dict[str, Any] | None = None) -> None:
        super().__init__(name)
        self.figures = _committed(self.file) if figures is None else figures

    def read(self, texts: Sequence[str]) -> Beta:
        """Return the perceived confidence of each text, of shape ``(len(texts),)``.

        ValueError where one is not a string or cannot be read (empty, code, not English); the first is named.
        """
        if isinstance(texts, str):
            raise ValueError("texts must be a sequence of strings, got one string")
        for index, text in enumerate(texts):
            if not isinstance(text, str):
                raise ValueError(f"text {index} is not a string but {type(text).__name__}")
        unique = dict.fromkeys(texts)
        for text in unique:
            if why := self.unread(text):
                raise ValueError(f"text {list(texts).index(text)} cannot be read: {why}: {text!r:.80}")
        at, share, logit, factor = self._parts(unique)
        cue_mean = 1 / (1 + np.exp(-np.clip(logit, -LOGIT_LIMIT, LOGIT_LIMIT)))
        mean = np.bincount(at, share * cue_mean, len(unique))
        # SD of readings by their mean, through the phrases of the uncensored study.
        sd = np.interp(cue_mean, self.figures["spread"]["mean"], self.figures["spread"]["sd"])
        spread = np.bincount(at, share * factor * sd, len(unique))
        place = {text: number for number, text in enumerate(unique)}
        return of_spread(mean, spread)[[place[text] for text in texts]]

    def _parts(self, texts: Iterable[str]) -> tuple[NDArray[np.intp], Floats, Floats, Floats]:
        """What the parts of some texts say: the number of its text, its share, log-odds, factor of the spread."""
        parse_ahead(texts, cues_alone=True)
        parse_ahead(text for text in texts if _SECOND.search(text) and read_cues(text))
        rows = [
            (number, one.share, *self._place(one.cues))
            for number, text in enumerate(texts)
            for one in weighted_sentences(text)
        ]
        at, share, logit, factor = np.array(rows, dtype=float).reshape(-1, 4).T
        return at.astype(np.intp), share, logit, factor

    def _place(self, cues: list[Cue]) -> tuple[float, float]:
        """(log-odds, factor of the spread) of a text with these cues."""
        if not cues:
            return self.figures["classes"]["bare"], self.figures["spread"]["factors"]["bare"]
        values = np.array([self.value(cue) for cue in cues])
        weights = np.exp(-(values - values.min()) / self.figures["softness"])
        weights /= weights.sum()
        factors = np.array([self.factor(cue) for cue in cues])
        return float(weights @ values), float(weights @ factors)

    def value(self, cue: Cue) -> float:
        """Return the place of one cue on the scale, in log-odds."""
        figures = self.figures
        if cue.number is not None:
            number = 1 - cue.number if cue.negated else cue.number
            number = min(max(number, 0.01), 0.99)
            return float(np.log(number / (1 - number)))
        expression_value = figures["expressions"].get(cue_key(cue), 0.0)
        if cue.negated:
            value = figures["negated"].get(cue.name, figures["negated"]["other"])
            return value + expression_value + figures["negated_degrees"].get(cue.degree, 0.0)
        direction = cue.family.direction
        value = figures["classes"][cue.name]
        return value + expression_value + direction * figures["degrees"].get(degree_key(cue), 0.0)

    def factor(self, cue: Cue) -> float:
        """Return how far people disagree on one cue, beside the profile: on a stated number least."""
        spread = self.figures["spread"]
        return spread["number"] if cue.number is not None else spread["factors"][cue.name]


class WeightedSentence(NamedTuple):
    """The cues that speak of a sentence of an answer, and the share of the answer that it carries, in (0, 1]."""

    cues: list[Cue]
    share: float


def weighted_sentences(text: str) -> list[WeightedSentence]:
    """Return the sentences of an answer that say something, one at least; their shares add up to 1.

    A hedge weighs as much as the sentence that it speaks of. The first sentence that says anything is the answer, and
    carries at least half; the others share the rest by their words. A sentence that only hedges speaks of all of them.
    A note of the whole ("Most of this is probably right.") speaks of those that say nothing of it themselves.

    >>> parts = weighted_sentences("It is Bonn. It may lie by the Rhine. I could be wrong.")
    >>> [(len(one.cues), one.share) for one in parts]
    [(1, 0.5), (2, 0.5)]
    """
    cues = read_cues(text)
    main, comments, levels = _answering(text, cues) if cues and _SECOND.search(text) else ([], [], [])
    if not main:
        return [WeightedSentence(cues, 1.0)]
    counts = [len(sentence.words) for sentence, _ in main]
    rest = sum(counts[1:])
    first = max(counts[0] / sum(counts), FIRST_SHARE) if rest else 1.0
    shares = [first, *((1 - first) * count / rest for count in counts[1:])]
    owned = ([*(those or levels), *comments[:COMMENTS]] for _, those in main)
    return [WeightedSentence(*one) for one in zip(owned, shares, strict=True)]


def _answering(text: str, cues: list[Cue]) -> tuple[list[tuple[Sentence, list[Cue]]], list[Cue], list[Cue]]:
    """The sentences that answer, with their cues; the cues that speak of all of them; those of notes of the whole."""
    places = [cue.span[0] for cue in cues]
    main: list[tuple[Sentence, list[Cue]]] = []
    comments: list[Cue] = []
    levels: list[Cue] = []
    parts = sentences(text)
    for one in parts:
        inside = cues[bisect_left(places, one.start) : bisect_left(places, one.end)]
        if _only_leads(one, parts):
            continue
        if one.of_whole and any(part.claims for part in parts):
            levels += inside
        elif one.kind == "hedge" or (main and inside and one.words[0].lower_ in ("or", "alternatively")):
            comments += inside
        elif _answers(one, hedged=bool(inside), first=not main):
            main.append((one, inside))
    return main, comments, levels[:COMMENTS]


def _only_leads(one: Sentence, parts: list[Sentence]) -> bool:
    """Whether a sentence of an answer only leads to others that say something."""
    if one is parts[0] and len(parts) > 1 and one.assents:
        return True  # "Sure! It is Paris."
    # "I'm not able to diagnose you. A rash may itch."
    return (one.refuses or one.addresses) and any(part.claims for part in parts)


def _answers(one: Sentence, *, hedged: bool, first: bool) -> bool:
    """Whether a sentence answers: "Maybe Paris?" does, "Shall I tell you more?" does not."""
    if one.kind != "question":
        return hedged or one.kind not in ("talk", "request")
    return first and hedged and not any(word.lower_ in ("you", "your") for word in one.words)


def cue_key(cue: Cue) -> str:
    """Return the key of an expression in an evaluator's figures: its words, ``not`` before them where it is negated."""
    return ("not " if cue.negated else "") + cue.expression


def degree_key(cue: Cue) -> str:
    """Return the key of a degree word: "fairly sure" is well below "sure", "fairly likely" is not below "likely"."""
    return f"state {cue.degree}" if cue.degree and cue.name in {"sure", "confident"} else cue.degree


class CueModel(GrammarModel):
    """The selection evaluator by default, ``cue_model``.

    >>> CueModel().read(["It is certainly Oslo.", "Perhaps Oslo."]).mean.round(1)
    array([1. , 0.3])
    """

    file = "cue_model.json"


class CueModelB(GrammarModel):
    """``cue_model_b``: the same grammar of cues, figures from other people."""

    file = "cue_model_b.json"


@cache
def _committed(file: str) -> dict[str, Any]:
    """The committed figures of an evaluator, with their provenance."""
    return json.loads(data.path(file).read_text(encoding="utf-8"))
