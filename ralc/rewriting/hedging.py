"""Putting hedges into the claims of answers, one that is read as meant into each, and none twice into an answer."""

import zlib
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ralc.beta import Beta
from ralc.english.casing import names_in
from ralc.english.frames import denies, places
from ralc.english.scopes import claim, excepting
from ralc.lexicon import Lexicon
from ralc.readers.reader import CLOSE, ReaderModel
from ralc.retrieval import as_said, nearest_hedges
from ralc.rewriting.drafts import Draft, Part, words_of
from ralc.rewriting.levels import is_crowded, levelled
from ralc.rewriting.reasons import MISSED, NO_PLACE, STEP, within_step
from ralc.rewriting.runs import Run, runs_of, split_run

_HEDGES = 24  # retrieved for each sentence
_PLACES = 2  # of each hedge that are tried, the plainest first

#: A run of an answer, and what may still be tried for it: a hedge and what is written.
_Pending = tuple[Draft, Run, Iterator[tuple[str, str]]]


class Hedger:
    """Puts hedges of a lexicon where a reader reads them as meant."""

    def __init__(self, lexicon: Lexicon, reader: ReaderModel) -> None:
        usable = lexicon.usable()
        self._hedges = list(zip(usable.columns["expression"], usable.columns["frame"], strict=True))
        self._confidence = usable.confidence
        self._mean = np.asarray(usable.confidence.mean)
        self._levels = self._mean[[self._can_be_shared(at) for at in range(len(self._hedges))]]
        self._reader = reader

    def level(self, draft: Draft) -> None:
        """Let the claims of an answer be said at fewer levels where it would have too many hedges."""
        claims = [part for part in draft.parts if part.wants]
        level = levelled(
            _means(claims), lambda means: is_crowded(len(self._runs(draft, means)), len(draft.parts))
        )
        for part, mean in zip(claims, level, strict=True):
            if mean != part.target.mean:
                part.target = Beta.from_mean_concentration(mean, part.target.concentration)

    def hedge(self, drafts: Sequence[Draft]) -> None:
        """Put a hedge into, or before, all claims that want one; what no hedge fits is left."""
        runs = (
            (draft, self._runs(draft, _means(part for part in draft.parts if part.wants))) for draft in drafts
        )
        pending = self._asked([(draft, run) for draft, own in runs for run in own])
        while pending:
            tried, split = self._next(pending)
            read = self._reader.read([text for *_, text in tried]) if tried else ()
            pending = []
            for (draft, run, options, hedge, text), one in zip(tried, read, strict=True):
                near = (within_step(draft.parts[at].target, one, shared=run.is_shared) for at in run.claims)
                if all(near):
                    draft.hedge(run, hedge, text)
                else:
                    pending.append((draft, run, options))
            pending += self._asked(split)

    def _can_be_shared(self, at: int) -> bool:
        """Whether a hedge can stand in a sentence of its own: "at a guess, the rest is right" affirms."""
        frame = self._hedges[at][1]
        return frame in ("adverb", "clause") or (frame == "opener" and self._mean[at] > 0.5)

    def _runs(self, draft: Draft, means: Sequence[float]) -> list[Run]:
        """The runs of an answer, if the claims that want a hedge are to be read as `means`."""
        wanted = np.full(len(draft.parts), np.nan)
        wanted[[part.wants for part in draft.parts]] = means
        alone = [part.alone for part in draft.parts]
        return runs_of([part.unit for part in draft.parts], draft.places, wanted, alone, self._levels)

    def _next(
        self, pending: Sequence[_Pending]
    ) -> tuple[list[tuple[Draft, Run, Iterator[tuple[str, str]], str, str]], list[tuple[Draft, Run]]]:
        """What is tried now, each hedge once an answer, and the sentences of the runs that none is left for."""
        tried, split = [], []
        taken: dict[int, set[str]] = {}
        for draft, run, options in pending:
            mine = taken.setdefault(id(draft), set())
            option = next((one for one in options if words_of(one[0]) not in draft.used | mine), None)
            if option:
                mine.add(words_of(option[0]))
                tried.append((draft, run, options, *option))
            elif run.is_shared:
                split += [
                    (draft, one) for one in split_run(run, [part.unit for part in draft.parts], draft.places)
                ]
            else:
                part = draft.parts[run.claims[0]]
                fits = any(places(*hedge, part.bare) for hedge in self._hedges[:_HEDGES])
                part.put_back(MISSED if fits else NO_PLACE)
        return tried, split

    def _asked(self, runs: Sequence[tuple[Draft, Run]]) -> list[_Pending]:
        """Some runs, with what may be tried for each."""
        if not runs:
            return []
        targets = [[draft.parts[at].target for at in run.claims] for draft, run in runs]
        mean = np.array([np.mean([one.mean for one in own]) for own in targets])
        concentration = np.array([np.mean([one.concentration for one in own]) for own in targets])
        queries = as_said(Beta.from_mean_concentration(mean, concentration))
        found = nearest_hedges(self._confidence, queries, k=min(_HEDGES, len(self._hedges)))
        return [
            (draft, run, self._options(draft, run, self._ordered(draft, run, centre, hedges)))
            for (draft, run), centre, hedges in zip(runs, mean, found, strict=True)
        ]

    def _ordered(self, draft: Draft, run: Run, mean: float, hedges: np.ndarray) -> list[int]:
        """The hedges that may be read as meant, the nearest first, of those a draw by the claim's words.

        Of shared ones those come first that are within a step of the most sentences; then what the speaker doubts in
        his own person ("It is unlikely that the rest is right." says the contrary of what is told after it), and no
        rough guess: hardly one of the claims is of a number that is guessed at.
        """
        far = np.abs(self._mean[hedges] - mean)
        near = far <= far.min() + CLOSE
        came = draft.parts[run.claims[0]].came
        turned = np.roll(hedges[near], zlib.crc32(came.encode(errors="surrogatepass")) % near.sum())
        found = [int(at) for at in (*turned, *hedges[~near]) if abs(self._mean[at] - mean) <= STEP]
        wanted = np.array([draft.parts[at].target.mean for at in run.claims])

        def rank(at: int) -> tuple[int, bool]:
            hedge = self._hedges[at][0]
            unfit = _disowns(hedge) or _estimates(hedge)
            return -int(np.sum(np.abs(self._mean[at] - wanted) <= STEP)), unfit

        return sorted(found, key=rank)

    def _options(self, draft: Draft, run: Run, hedges: Sequence[int]) -> Iterator[tuple[str, str]]:
        """Hedges, each with what is written: the sentence, or what stands before those that share it."""
        bare, names = draft.parts[run.claims[0]].bare, names_in(draft.answer)
        for at in hedges:
            hedge, frame = self._hedges[at]
            if not run.is_shared:
                for place in places(hedge, frame, bare, names=names)[:_PLACES]:
                    yield hedge, place.text if bare[-1:] in ".!?:;" else place.text.removesuffix(".")
            elif self._can_be_shared(at) and not (
                run.excepts and (frame == "opener" or hedge.endswith(" say"))
            ):
                said = places(hedge, frame, claim(run.reach, first=run.claims[0] == 0))[0].text
                yield hedge, excepting(said) if run.excepts else said


def _means(claims: Iterable[Part]) -> list[float]:
    """What claims are to be read as."""
    return [float(part.target.mean) for part in claims]


def _estimates(hedge: str) -> bool:
    """Whether a hedge is one of a number that is not known yet: "at a rough guess", "my first guess is"."""
    return "rough" in hedge or "first guess" in hedge


def _disowns(hedge: str) -> bool:
    """Whether a hedge says of the world, and not of the speaker, that it is hardly so."""
    return denies(hedge) and not hedge.startswith("I ")
