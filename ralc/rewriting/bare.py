"""An answer without the hedge it came with, so that a rewrite does not hedge twice."""

import re

import pandas as pd

from ralc.english.contractions import contractible

#: Hedges that say the opposite of what follows: taking them away would turn the answer round.
_NEGATING = re.compile(
    r"\b(?:not|no|doubt|unlikely|improbable|impossible|slight|slim|little|remote|anyone's)\b"
)
#: Clauses that are hedges without *that*, too.
_BARE_CLAUSES = "I think|I believe|I guess|I suppose|I assume|I would say|I'd say|my (?:best )?guess is"
#: Adverbs that are hedges wherever they stand.
_ADVERB = r"(?!likely|clearly|absolutely|theoretically)\w+ly|perhaps|maybe"
#: A last sentence that says of the answer how sure it is, and nothing else.
_ASIDE = re.compile(
    r"(?<=[.!])\s+(?:but )?(?:(?:I|we)(?: am|['’]m)? (?:think|believe|hope|guess|suppose|sure|certain|confident)\b"
    r"[^.!?]*\b(?:correct|right|true|helps?|answer|it|so)|(?:hope|I hope) (?:this|that|it) helps)[.!]*$",
    re.IGNORECASE,
)


class Bare:
    """Takes the hedges of a lexicon out of answers.

    Parameters
    ----------
    hedges
        ``expression, frame``: the run's.
    """

    def __init__(self, hedges: pd.DataFrame) -> None:
        affirming = hedges[~hedges["expression"].str.contains(_NEGATING)]
        clauses = affirming[affirming["frame"] == "clause"]
        adverbs = affirming[(affirming["frame"] == "adverb") & affirming["expression"].str.fullmatch(_ADVERB)]
        openings = [
            *_joined(clauses, " that "),
            *_joined(hedges[hedges["frame"] == "opener"], ", "),
            *_joined(hedges[hedges["frame"] == "standalone"], ", but "),
            f"(?:{_BARE_CLAUSES}) ",
        ]
        words = _joined(adverbs, "")
        self._opening = re.compile(f"^(?:{'|'.join(openings)})", re.IGNORECASE)
        inside = [f"^{word},? | {word}(?= \\w)|, {word}(?=[.,!?]|$)" for word in words]
        self._adverb = re.compile("|".join(inside) or r"(?!)", re.IGNORECASE)

    def __call__(self, text: str) -> str:
        """Return an answer without a hedge of the lexicon that opens it, and without its hedging adverbs.

        What hedges by denying ("I doubt that ...") stays, and so does a hedge that is the whole answer; a last
        sentence that only says how sure the answer is goes.

        >>> frames = {"I think": "clause", "probably": "adverb", "I doubt": "clause"}
        >>> bare = Bare(pd.DataFrame({"expression": list(frames), "frame": list(frames.values())}))
        >>> bare("I think that the capital is probably Paris."), bare("I doubt that it is Paris.")
        ('The capital is Paris.', 'I doubt that it is Paris.')
        """
        rest = _ASIDE.sub("", self._adverb.sub("", self._opening.sub("", text.strip(), count=1)))
        if rest == text.strip() or not any(character.isalnum() for character in rest):
            return text
        return rest[:1].upper() + rest[1:]


def _joined(hedges: pd.DataFrame, joint: str) -> list[str]:
    """A pattern of any of the expressions, the longest first, and what follows it; none where there is no hedge."""
    ordered = sorted(hedges["expression"], key=len, reverse=True)
    return [f"(?:{'|'.join(map(contractible, ordered))}){joint}"] if ordered else []
