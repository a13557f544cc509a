"""An answer on its way to other words: its claims, what each is to be written as, and the text that results."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ralc.beta import Beta
from ralc.english.kinds import Sentence
from ralc.english.units import Unit
from ralc.rewriting.runs import Run


@dataclass
class Part:
    """A claim: as it came, without hedges of its own, as it is to be written, and how.

    ``alone``: whether it has other words that are heard as doubt or certainty, or answers the claim before it, so that
    no shared hedge speaks for it.
    """

    unit: Unit
    start: int
    end: int
    target: Beta | None
    came: str
    bare: str
    text: str
    reason: str = ""
    alone: bool = False
    hedge: str = ""
    shared: bool = False
    opening: str = ""  # the shared hedge that stands in front of it

    @property
    def wants(self) -> bool:
        """Whether it is to have a hedge, and has none yet."""
        return not (self.reason or self.hedge)

    def put_back(self, reason: str = "") -> None:
        """Leave it as it came, for a reason; without one it wants a hedge again."""
        self.text, self.hedge, self.shared, self.opening, self.reason = self.came, "", False, "", reason


@dataclass
class Draft:
    """An answer on its way.

    ``places``: where its claims stand among its sentences; ``comments``: sentences that said how sure all of it was,
    and go; ``used``: the hedges that it has had (`words_of`).
    """

    answer: str
    places: Sequence[int]
    parts: list[Part]
    comments: Sequence[Sentence]
    used: set[str] = field(default_factory=set)

    def hedge(self, run: Run, hedge: str, text: str) -> None:
        """Put a hedge into a sentence, or before those of a run."""
        self.used.add(words_of(hedge))
        for at in run.claims:
            part = self.parts[at]
            part.hedge, part.shared, part.reason = hedge, run.is_shared, ""
            part.text = part.bare if run.is_shared else text
        self.parts[run.claims[0]].opening = text if run.is_shared else ""

    def written(self) -> tuple[str, list[tuple[int, int]]]:
        """Return the text, and from where to where each claim stands in it; every byte beside them is the answer's."""
        pieces: list[str] = []
        spans, at, length = [], 0, 0
        gone = [(one.start, one.end, "", "") for one in self.comments]
        said = [(part.start, part.end, part.opening, part.text) for part in self.parts]
        for start, end, opening, text in sorted([*said, *gone]):
            first, last = (start, end) if text else _with_space(self.answer, start, end)
            new = [self.answer[at : max(first, at)], f"{opening} " if opening else "", text]
            length += sum(map(len, new))
            pieces += new
            at = last
            if (start, end, "", "") not in gone:
                spans.append((length - len(text), length))
        whole = "".join([*pieces, self.answer[at:]])
        return whole.rstrip(" ") if at == len(self.answer) else whole, spans


def words_of(hedge: str) -> str:
    """Return a hedge without the words that may stand in front of it: in an answer it is heard as the same.

    >>> words_of("it is highly likely"), words_of("highly likely")
    ('highly likely', 'highly likely')
    """
    return hedge.removeprefix("it is ")


def _with_space(answer: str, start: int, end: int) -> tuple[int, int]:
    """A sentence that goes, with its line where it stands in one alone, else with the space behind it."""
    first, last = answer.rfind("\n", 0, start) + 1, answer.find("\n", end)
    last = len(answer) if last < 0 else last
    alone = not any(map(str.isalpha, answer[first:start])) and not answer[end:last].strip(" .*_)")
    if alone and (first or last < len(answer)):
        return first, min(last + 1, len(answer))
    while end < len(answer) and answer[end] == " ":
        end += 1
    return start, end
