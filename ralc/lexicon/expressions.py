"""The hedging expressions that a lexicon is built from: ours, or a file of the user's own, and what their words tell.

The words of an expression tell how it stands in a sentence, what it speaks of, and for which side.
"""

import re
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
import pandas as pd
from pydantic import BeforeValidator, Field, model_validator

from ralc import data
from ralc.beta import Beta
from ralc.evaluators.ensemble import human_cues
from ralc.io.rows import RowModel, Text
from ralc.registry import FRAMES

#: What an expression speaks of. confidence: how sure the speaker is | possibility: what could be, whatever the
#: speaker thinks ("theoretically") | evidential: evidence, hearsay or memory, which nobody has checked ("reportedly") |
#: social: what others think, or a commitment or opinion ("obviously") | idiom: figures of speech.
KINDS = ("confidence", "possibility", "evidential", "social", "idiom")
#: How it sounds.
REGISTERS = ("neutral", "informal", "stiff")
#: for: speaks for the answer, however weakly | against: makes it less than likely ("I doubt") | reverses: asserts the
#: opposite claim ("probably not").
POLARITIES = ("for", "against", "reverses")
#: Where the committed expressions come from.
SOURCES = {
    "paper": "named in the paper (appendix D.1)",
    "capphrase": "phrase of the CAPphrase study (Kucharski 2026, doi 10.5281/zenodo.18750055), put in a sentence",
    "wadefagen": "phrase of the survey of W. Fagen-Ulmschneider, put in a sentence",
    "tao2025": "written by GPT-4o, Gemini 2.5 Pro, Claude Sonnet 4 or Grok 3 in the answers of Tao et al. 2025 "
    "(arXiv 2509.24202)",
    "yardsticks": "official yardsticks of uncertainty (IPCC, UK PHIA, US NIC, NATO, EFSA), put in a sentence",
    "claude": "a Claude model, asked by the paper's sourcing prompt",
    "ours": "written for this list, where the scale had gaps",
    "user": "the user's own file",
}
#: The user's readings of an expression: parameters of a Beta distribution, and the number of readings behind it.
READING = ("own_alpha", "own_beta", "own_n")
#: The phrases that people were asked about, with a sentence each, and as a hedge where one can stand in any answer.
_SURVEYED = data.rows("asked_phrases.csv")
SURVEYED_PHRASES = {row["phrase"]: (row["hedge"], row["frame"]) for row in _SURVEYED if row["hedge"]}
PHRASE_SENTENCES = {row["phrase"]: row["sentence"] for row in _SURVEYED}
_COLUMNS = ("expression", "source", "frame", "kind", "register", "polarity")
#: An expression: words, and a per cent among them.
WORDS = re.compile(r"[A-Za-z][A-Za-z' -]*(?:\d{1,3}(?:%| percent)[A-Za-z' -]*)?")
SURE = "certain|uncertain|sure|unsure|confident|convinced|positive|skeptical|doubtful"
_NEGATED = r"\bnot|\bcannot|\bno|\blittle|\bjust|\bonly"
_UNSURE = "unsure|uncertain|skeptical|doubtful|clueless|far from|in two minds|in the dark"
#: Words that wait for a noun: what ends in one breaks a sentence.
WAITING = frozenset(
    {"with", "of", "to", "for", "in", "on", "by", "a", "an", "the", "from", "at", "about", "against", "under"}
)
#: What waits for a verb, or for what there is none of.
_UNFINISHED = re.compile(
    r"(?:I|we|it) (?:have|had|would|can|cannot|could|may|might|must|do|do not|tend|strongly|firmly)"
    r"(?: no| some| absolutely)?|(?:I|we) \w+ (?:not )?be|(?:I am|we are) \w+ly|(?:I|we) do not (?:think|believe)"
)
#: What an expression speaks of, by the first pattern that is found in it; the speaker's confidence where none is.
_KINDS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("evidential", r"\b(?:evidence|research|studies|sources?|reports?|reportedly|rumou?r\w*|alleged\w*|apparently"
                       r"|supposedly|purportedly|accounts|documented|established|proven|heard|read|recall|remember"
                       r"|recollection|memory|confirm|seems?|seemingly|appears?|evidently|logically|experts?|fact)\b"),
        ("possibility", r"\b(?:theor\w+|hypothetical\w*|conceivabl[ey]|potentially|plausibl[ey]|ruled out)\b"),
        ("social", r"\b(?:opinion|view|argu\w+|obvious\w*|clear(?:ly)?|of course|undeniabl[ey]|indisputabl[ey]|people"
                   r"|widely|generally|everyone|said|guarantee|we)\b|unquestionabl"),
        ("idiom", r"\b(?:grain of salt|quote me|shot in the dark|coin|anyone's guess|good as mine|top of my head"
                  r"|clue)\b"),
    )
)  # fmt: skip
_AGAINST = re.compile(
    r"\b(?:un|not )likely|improbabl|(?<!not )impossible|doubtful|(?<!no )(?<!little )(?<!without a )\bdoubt$"
    r"|\b(?:little|remote|slim|slight|small|no|hardly any|outside) (?:chance|possibility)"
)
#: How an expression stands, by the first pattern that fits all of it.
_FRAMES = tuple(
    (frame, re.compile(pattern, re.I))
    for frame, pattern in (
        ("modal", r"may|might"),
        ("tag", r"(?:but|though|although|or|and)\b.*|for sure|no doubt"),
        ("adverb", r"(?!it |is )(?:\w+ ){0,2}(?:\w{3,}ly|perhaps|maybe|doubtless)(?: not)?"),
        ("standalone", r"(?:this|that|your|who|nobody|do not quote)\b.*|it remains .*|there is no (?:way|telling).*"),
        ("standalone", r"it is (?:hard|difficult|impossible) to (?:say|tell|know)"),
        ("clause", r"(?:I|we) have (?:\w+ )?no doubt|.* (?:whether|if|is)"),
        ("standalone", rf"(?:I|we) (?=.*(?:{_NEGATED})\b).*|I am (?:\w+ )*(?:{_UNSURE})\b.*"),
        ("standalone", r"I (?:could|may|might) be \w+|I have (?:my|some) doubts|I lack .*"),
        ("clause", r"(?:I|we|it|there|my|the|all|some|most|many|evidence|research|studies|experts)\b .+"),
        ("opener", r"(?:as|at|from|if|unless|to|in|based|according|with|without|beyond|by|for|off|on|under|given|of|"
                   r"chances|odds|rumor|more|take|barring|subject)\b .+"),
    )
)  # fmt: skip


class HedgeRow(RowModel):
    """An expression of the user's own; with ``mean``, ``sd`` and ``n`` of readings where there are some."""

    headers: ClassVar[dict[str, str]] = {
        name: name for name in ("expression", "frame", "source", "kind", "polarity", "mean", "sd", "n")
    }
    headers |= {"tone": "register"}

    expression: Text
    frame: Annotated[Literal[tuple(FRAMES)], BeforeValidator(str.strip)]  # type: ignore[valid-type]
    source: Text = "user"
    kind: Literal[KINDS] | None = None  # type: ignore[valid-type]
    tone: Literal[REGISTERS] | None = None  # type: ignore[valid-type]
    polarity: Literal[POLARITIES] | None = None  # type: ignore[valid-type]
    mean: Annotated[float, Field(gt=0, lt=1)] | None = None
    sd: Annotated[float, Field(ge=1e-4)] | None = None
    n: Annotated[int, Field(ge=1)] = 1

    @model_validator(mode="after")
    def _is_a_reading(self) -> Self:
        whole = self.mean is not None and self.sd is not None and self.sd**2 < self.mean * (1 - self.mean)
        if not whole and (self.mean, self.sd) != (None, None):
            raise ValueError("columns 'mean' and 'sd': give both, sd below sqrt(mean (1 - mean))")
        return self

    @property
    def reading(self) -> dict[str, float]:
        """The columns `READING`; none of an expression without readings."""
        if self.mean is None:
            return {}
        mean = self.mean
        k = self.mean * (1 - self.mean) / self.sd**2 - 1
        return dict(zip(READING, (round(mean * k, 9), round((1 - mean) * k, 9), self.n), strict=True))


#: Two or three hedges a band that one person would write (``ralc/data/voice.csv``), or all that there are.
Voice = Literal["plain", "all"]


def committed(voice: Voice = "all") -> list[dict[str, str]]:
    """Return the expressions of a voice, each with ``expression, source, frame, kind, register, polarity``.

    >>> committed()[0]["expression"], committed()[0]["frame"]
    ('absolutely', 'adverb')
    """
    hedges = data.rows("hedges.csv")
    plain = {row["expression"] for row in data.rows("voice.csv")}
    return hedges if voice == "all" else [hedge for hedge in hedges if hedge["expression"] in plain]


@cache
def committed_expressions() -> frozenset[str]:
    """Return the committed expressions."""
    return frozenset(hedge["expression"] for hedge in committed())


def load_hedges(
    path: str | Path | None = None,
    *,
    extend: bool = False,
    sourced: pd.DataFrame | None = None,
    voice: Voice = "all",
) -> pd.DataFrame:
    """Return the expressions with source and grammatical frame, sorted by expression.

    Parameters
    ----------
    path
        A file of the user's own with the columns of `HedgeRow`, which replaces the committed list.
    extend
        Whether it is added to the committed list in place of replacing it; the user's entry wins.
    sourced
        Expressions that models proposed (`ralc.lexicon.source_hedges`), in place of the committed list.
    voice
        Which of the committed list: those of one ``plain`` voice, or ``all``.

    Returns
    -------
    DataFrame
        ``expression, source, frame, kind, register, polarity``, and with own readings `READING`, null for an expression
        without. What a list does not say is as in the committed list; of an expression that is not there its words
        tell the kind.

    ValueError where the file is empty or a row is wrong or repeated; each is named.

    >>> len(load_hedges()) >= 150
    True
    """
    ours = pd.DataFrame(committed(voice), dtype=str) if sourced is None else sourced
    if path is not None:
        theirs = _user_hedges(path)
        committed_rows = ours[~ours["expression"].str.lower().isin(theirs["expression"].str.lower())]
        ours = pd.concat([committed_rows, theirs], ignore_index=True) if extend else theirs
    listed = described(ours)
    listed = listed[[*_COLUMNS, *(column for column in READING if column in listed)]]
    return listed.sort_values("expression", key=lambda one: one.str.lower(), kind="stable", ignore_index=True)


def _user_hedges(path: str | Path) -> pd.DataFrame:
    """Return the expressions of a file."""
    pairs = HedgeRow.read(path, key=lambda row: row.expression.lower())
    if not pairs:
        raise ValueError(f"{path}: no expressions")
    rows = [row.model_dump() | {"register": row.tone} | row.reading for _, row in pairs]
    table = pd.DataFrame(rows)
    return table.astype({column: float for column in READING if column in table})


def described(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with a kind, register and polarity for every expression, guessed where none is known."""
    committed_rows = pd.DataFrame(committed()).set_index("expression")
    guesses = {"kind": guess_kind, "register": lambda _: "neutral", "polarity": guess_polarity}
    for column, guess in guesses.items():
        values = table[column] if column in table else pd.Series(None, index=table.index, dtype=object)
        ours = table["expression"].map(committed_rows[column]).fillna(table["expression"].map(guess))
        table = table.assign(**{column: values.fillna(ours)})
    return table


def survey_lexicon() -> pd.DataFrame:
    """Return the phrases of the human studies as a lexicon, each in the place in which it was asked about.

    Mean and spread are those of the persons of a study. That is CAPphrase (CC BY 4.0) where it has the phrase, else one
    of the other two surveys (`human_cues`).

    >>> survey_lexicon().query("expression == 'it is likely'")[["source", "n"]].to_numpy().tolist()
    [['capphrase', 5174]]
    """
    cues = [human_cues()[phrase] for phrase in SURVEYED_PHRASES]
    mean, sd = (np.array([getattr(cue, name) for cue in cues]) for name in ("mean", "sd"))
    read = Beta.from_mean_concentration(mean, mean * (1 - mean) / sd**2 - 1)
    hedges, frames = zip(*SURVEYED_PHRASES.values(), strict=True)
    columns = {"expression": hedges, "source": [cue.source for cue in cues], "frame": frames}
    columns |= {"alpha": read.alpha, "beta": read.beta, "n": [cue.n for cue in cues], "flags": ""}
    return pd.DataFrame(columns).sort_values("expression", ignore_index=True)


def guess_frame(expression: str) -> str | None:
    """Return the likely frame of an expression (`ralc.registry.FRAMES`); None if that is unclear.

    >>> [guess_frame(e) for e in ("probably", "may", "I think", "to my knowledge", "no doubt", "I have no idea")]
    ['adverb', 'modal', 'clause', 'opener', 'tag', 'standalone']
    """
    if _UNFINISHED.fullmatch(expression):
        return None
    return next((frame for frame, pattern in _FRAMES if pattern.fullmatch(expression)), None)


def guess_kind(expression: str) -> str:
    """Return what an expression probably speaks of (`KINDS`).

    >>> [guess_kind(e) for e in ("research suggests", "theoretically", "obviously", "I am sure")]
    ['evidential', 'possibility', 'social', 'confidence']
    """
    return next((kind for kind, pattern in _KINDS if pattern.search(expression.lower())), "confidence")


def guess_polarity(expression: str) -> str:
    """Return whether an expression speaks for an answer or against it (`POLARITIES`).

    >>> [guess_polarity(e) for e in ("it is unlikely", "probably not", "I have no doubt")]
    ['against', 'reverses', 'for']
    """
    if expression.lower().endswith(" not"):
        return "reverses"
    return "against" if _AGAINST.search(expression.lower()) else "for"
