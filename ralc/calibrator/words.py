"""A calibrated confidence in words: which answers are left alone, which hedge is taken, what is written."""

import math
import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from ralc.beta import Beta
from ralc.english.frames import Place, notes
from ralc.lexicon import Lexicon
from ralc.preservation import overlap
from ralc.readers.reader import CLOSE, ReaderModel
from ralc.retrieval import as_said, nearest_hedges
from ralc.rewriting.bare import bare
from ralc.rewriting.guided import all_places
from ralc.rewriting.reasons import ALREADY, outcome_of
from ralc.rewriting.whole import Said

Style = Literal["words", "range"]
OnMiss = Literal["leave", "note", "best"]
#: Writes an answer freely: takes it, the hedges (nearest first) and the target's mean; returns its texts.
FreeWriter = Callable[[str, list[str], float], Sequence[str]]

HEDGES = 5  # retrieved for each answer, as in the paper
KEPT = 0.8  # share of content words that a free rewrite must keep
_STEP = 5  # per cent: ranges are stated in the steps in which readers answer


@dataclass(frozen=True)
class Rewritten:
    """An answer in calibrated words.

    Parameters
    ----------
    text
        What to say.
    confidence, target, read
        The confidence as it came, the calibrated one, and what the reader in the loop reads in `text`; each a
        single `Beta`, or of the claims that have one a vector (not `read`). `target` is None where no confidence came.
    hedge
        The expression that was put in; empty where none was, or the text was written freely.
    original
        The answer as it came.
    changed
        Whether `text` differs from it.
    reason
        Why it was left as it is, or that no wording of it is read as meant; empty where it is in calibrated words. Of
        several claims the first reason of one that is not.
    sentences
        What became of each claim, where they came with a confidence each.
    """

    text: str
    confidence: Beta | None
    target: Beta | None
    read: Beta | None
    hedge: str
    original: str
    changed: bool
    reason: str
    sentences: tuple[Said, ...] = ()

    @property
    def calibrated(self) -> bool:
        """Whether `text`, or each of its claims, is read within .05 of the target: readers answer in such steps."""
        return self.reason in ("", ALREADY)


class Written(NamedTuple):
    """An answer as it may be said, the hedge that was put in, and how the reader in the loop reads it."""

    text: str
    hedge: str
    read: Beta


def as_numbers(confidence: Beta | None) -> float | list[float] | None:
    """Return the mean of a confidence, or those of several, to four places; None where there is none.

    >>> as_numbers(Beta(1, 2)), as_numbers(Beta([1, 3], 1))
    (0.3333, [0.5, 0.75])
    """
    return None if confidence is None else np.round(confidence.mean, 4).tolist()


def as_entry(said: Said) -> dict[str, Any]:
    """Return what became of a sentence as an object of JSON."""
    names = ("start", "end", "original", "hedge", "shared", "calibrated", "reason")
    read = {"target": as_numbers(said.target), "read": as_numbers(said.read)}
    return {name: getattr(said, name) for name in names} | read


def stated_range(target: Beta) -> str:
    """The middle half of a calibrated confidence, in steps of five per cent, rounded outwards.

    >>> stated_range(Beta(14, 6))
    '60-80 %'
    """
    low, high = (100 * float(target.quantile(share)) / _STEP for share in (0.25, 0.75))
    return f"{math.floor(low + 1e-9) * _STEP}-{math.ceil(high - 1e-9) * _STEP} %"


def with_range(text: str, hedge: str, target: Beta) -> str:
    """Return a hedged answer with the range in brackets beside its hedge.

    >>> with_range("The capital is probably Paris.", "probably", Beta(14, 6))
    'The capital is probably (60-80 %) Paris.'
    """
    found = re.search(re.escape(hedge), text, re.IGNORECASE)
    end = found.end() if found else len(text.rstrip().rstrip(".!"))
    return f"{text[:end]} ({stated_range(target)}){text[end:]}"


class WordChooser:
    """Chooses the words of calibrated answers from a lexicon, as a reader reads them.

    Parameters
    ----------
    lexicon
        Hedges and how they are read; flagged ones are never used.
    reader
        The reader in the loop.
    """

    def __init__(self, lexicon: Lexicon, reader: ReaderModel) -> None:
        usable = lexicon.usable()
        self._expressions = list(lexicon.columns["expression"])
        self._hedges = list(_frames(usable).items())
        self._confidence = usable.confidence
        self._reader = reader

    def choose(
        self,
        texts: Sequence[str],
        target: Beta,
        *,
        free: FreeWriter | None = None,
    ) -> list[Written | None]:
        """Return for each answer the text that is read nearest to its target, its hedge, and its reading.

        None where no hedge has a place in an answer.

        One hedge is drawn among those that are as near as the nearest (`CLOSE`), so that a hundred answers do not
        all say the same; the draw depends on the text alone. Its plainest place is taken where it is read within
        `CLOSE` of its lexicon entry's distance, so that most answers are read once; else every place of the
        `HEDGES` nearest is read. What `free` wrote competes, if it keeps the answer's content.
        """
        shortlist, near = self._shortlist(target)
        nearest = [hedges[_draw(text, n)] for text, hedges, n in zip(texts, shortlist, near, strict=True)]
        drawn = [self._places(text, [hedge])[:1] for text, hedge in zip(texts, nearest, strict=True)]
        chosen = self._nearest(drawn, target)
        bound = np.asarray(self._confidence[np.array(nearest, int)].wasserstein_distance(target)) + CLOSE
        options: list[list[Place]] = [[] for _ in texts]
        for at, text in enumerate(texts):
            if chosen[at] is None or chosen[at][1] > bound[at]:
                options[at] += drawn[at] + self._places(text, shortlist[at])
            if free:
                options[at] += drawn[at] + self._written(text, shortlist[at], float(target.mean[at]), free)
        again = self._nearest(options, target)
        return [(new or old or (None,))[0] for new, old in zip(again, chosen, strict=True)]

    def note(self, text: str, target: Beta) -> Written | None:
        """Return an answer with a sentence that speaks of all of it, read as meant; None where none is."""
        (hedges,), _ = self._shortlist(target[None])
        options = [place for at in hedges for place in notes(*self._hedges[at], bare(text) or text, least=1)]
        found = self._nearest([options], target[None])[0]
        return found[0] if found and not outcome_of(True, target, found[0].read) else None

    def read(self, texts: Sequence[str]) -> list[Beta | None]:
        """Return how the reader in the loop reads some texts; None of what it cannot read."""
        legible = [text for text in texts if not self._reader.unread(text)]
        found = iter(self._reader.read(legible) if legible else ())
        return [None if self._reader.unread(text) else next(found) for text in texts]

    def _nearest(
        self, options: Sequence[Sequence[Place]], target: Beta
    ) -> list[tuple[Written, float] | None]:
        """Of the options of each answer the one that is read nearest to its target, and how far; None without any."""
        at = np.repeat(np.arange(len(options)), [len(own) for own in options])
        if not len(at):
            return [None] * len(options)
        listed = [place for own in options for place in own]
        read = self._reader.read([place.text for place in listed])
        far = np.asarray(read.wasserstein_distance(target[at]))
        best: list[tuple[Written, float] | None] = [None] * len(options)
        for own, place, one, distance in zip(at, listed, read, far, strict=True):
            if best[own] is None or distance < best[own][1]:
                best[own] = (Written(place.text, place.hedge, one), float(distance))
        return best

    def _shortlist(self, target: Beta) -> tuple[np.ndarray, np.ndarray]:
        """The nearest hedges of each target, nearest first, and how many of them are as near as the first.

        A hundred thousand answers have two hundred shortlists.
        """
        said = as_said(target)
        asked, back = np.unique(np.column_stack([said.alpha, said.beta]), axis=0, return_inverse=True)
        queries = Beta(*asked.T)
        found = nearest_hedges(self._confidence, queries, k=min(HEDGES, len(self._hedges)))
        repeated = np.repeat(np.arange(len(asked)), found.shape[1])
        distance = np.asarray(self._confidence[found.ravel()].wasserstein_distance(queries[repeated]))
        distance = distance.reshape(found.shape)
        near = (distance <= distance[:, :1] + CLOSE).sum(axis=1)
        return found[back.ravel()], near[back.ravel()]

    def _places(self, text: str, hedges: Sequence[int]) -> list[Place]:
        """Every place of some hedges in an answer that has lost its own."""
        known = [self._hedges[at] for at in hedges]
        return all_places(bare(text) or text, *map(list, zip(*known, strict=True)))

    def _written(self, text: str, hedges: Sequence[int], mean: float, free: FreeWriter) -> list[Place]:
        """What a model wrote, as far as it keeps the answer's content."""
        offered = [self._hedges[at][0] for at in hedges]
        made = free(text, offered, mean)
        texts = list(made) if isinstance(made, Iterable) and not isinstance(made, str) else [None]
        if not all(isinstance(one, str) for one in texts):
            raise TypeError(f"rewriter must return a list of texts, such as [text], not {made!r:.80}")
        written = [one for one in texts if one.strip()]
        kept = overlap([text] * len(written), written, self._expressions) if written else []
        return [Place("", one) for one, share in zip(written, kept, strict=True) if share >= KEPT]


def _frames(lexicon: Lexicon) -> dict[str, str]:
    """The frame of each expression."""
    return dict(zip(lexicon.columns["expression"], lexicon.columns["frame"], strict=True))


def _draw(text: str, count: int) -> int:
    """A number below `count` that depends on a text alone."""
    return zlib.crc32(text.encode(errors="surrogatepass")) % int(count)
