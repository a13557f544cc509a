"""The hedging expressions that a lexicon is built from: ours, or a file of the user's own."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

import pandas as pd
from pydantic import BeforeValidator, Field, model_validator

from ralc import data
from ralc.beta import Beta
from ralc.english import ASKED, FRAMES
from ralc.io.row_models import RowModel, Text
from ralc.io.rows import Fault, FaultsError, read_rows
from ralc.lexicon.wording import guess_kind, guess_polarity

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
OWN = ("own_alpha", "own_beta", "own_n")
_COLUMNS = ("expression", "source", "frame", "kind", "register", "polarity")


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
            raise ValueError("columns 'mean' and 'sd': no reading; sd lies below the root of mean (1 - mean)")
        return self

    @property
    def own(self) -> dict[str, float]:
        """The columns `OWN`; none of an expression without readings."""
        if self.mean is None or self.sd is None:
            return {}
        k = self.mean * (1 - self.mean) / self.sd**2 - 1
        return dict(zip(OWN, (round(self.mean * k, 9), round((1 - self.mean) * k, 9), self.n), strict=True))


def committed() -> list[dict[str, str]]:
    """Return the expressions, each with ``expression, source, frame, kind, register, polarity``.

    >>> committed()[0]["expression"], committed()[0]["frame"]
    ('absolutely', 'adverb')
    """
    return [row.cells for row in read_rows(data.path("hedges.csv"))]


def load_hedges(
    path: str | Path | None = None, *, extend: bool = False, sourced: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return the expressions with source and grammatical frame, sorted by expression.

    Parameters
    ----------
    path
        A file of the user's own with the columns of `HedgeRow`, which replaces the committed list.
    extend
        Whether the user's list is added to the committed one in place of replacing it; the user's entry wins.
    sourced
        Expressions that models proposed (`ralc.lexicon.source_hedges`), in place of the committed list.

    Returns
    -------
    DataFrame with the columns ``expression``, ``source``, ``frame``, ``kind``, ``register``, ``polarity``. What a list
    does not say of an expression is as in the committed list; of one that is not there the kind is guessed from its
    words (`ralc.lexicon.wording.guess_kind`). With own readings there are ``own_alpha``, ``own_beta``, ``own_n``, null
    for an expression without.

    Raises
    ------
    ValueError
        If the file is empty or a row is wrong or repeated; each is named.

    Examples
    --------
    >>> hedges = load_hedges()
    >>> len(hedges) >= 150, list(hedges.columns)
    (True, ['expression', 'source', 'frame', 'kind', 'register', 'polarity'])
    """
    ours = pd.DataFrame(committed(), dtype=str) if sourced is None else sourced
    if path is not None:
        theirs = _user_hedges(path)
        kept = ours[~ours["expression"].str.lower().isin(theirs["expression"].str.lower())]
        ours = pd.concat([kept, theirs], ignore_index=True) if extend else theirs
    whole = described(ours)
    whole = whole[[*_COLUMNS, *(column for column in OWN if column in whole)]]
    return whole.sort_values(
        "expression", key=lambda names: names.str.lower(), kind="stable", ignore_index=True
    )


def _user_hedges(path: str | Path) -> pd.DataFrame:
    """Return the expressions of a file."""
    found = HedgeRow.read(path)
    if not found:
        raise ValueError(f"{path}: no expressions")
    seen: set[str] = set()
    repeats = [
        Fault(at, f"{at.where}: {row.expression!r} stands there twice")
        for at, row in found
        if row.expression.lower() in seen or seen.add(row.expression.lower())
    ]
    if repeats:
        raise FaultsError(repeats)
    rows = [
        row.model_dump(exclude={"tone", "mean", "sd", "n"}) | {"register": row.tone} | row.own
        for _, row in found
    ]
    table = pd.DataFrame(rows)
    return table.astype({column: float for column in OWN if column in table})


def described(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with a kind, register and polarity for every expression, guessed where none is known."""
    known = pd.DataFrame(committed()).set_index("expression")
    guesses = {"kind": guess_kind, "register": lambda _: "neutral", "polarity": guess_polarity}
    for column, guess in guesses.items():
        given = table[column] if column in table else pd.Series(None, index=table.index, dtype=object)
        ours = table["expression"].map(known[column]).fillna(table["expression"].map(guess))
        table = table.assign(**{column: given.fillna(ours)})
    return table


def asked_lexicon() -> pd.DataFrame:
    """Return the phrases of the human studies as a lexicon, each in the place in which it was asked about.

    Mean and spread are those of the persons of the study: CAPphrase (CC BY 4.0) where it has the phrase, else one of
    the other two surveys (``ralc/data/human_cues.csv``).

    Returns
    -------
    DataFrame
        ``expression, source, frame, alpha, beta, n, flags``, sorted by expression.

    Examples
    --------
    >>> asked_lexicon().query("expression == 'it is likely'")[["source", "n"]].to_numpy().tolist()
    [['capphrase', 5174]]
    """
    figures = pd.read_csv(data.path("human_cues.csv")).set_index("expression").loc[list(ASKED)]
    mean, sd = figures["mean"].to_numpy(), figures["sd"].to_numpy()
    read = Beta.from_mean_concentration(mean, mean * (1 - mean) / sd**2 - 1)
    hedges, frames = zip(*ASKED.values(), strict=True)
    columns = {"expression": hedges, "source": figures["source"].to_numpy(), "frame": frames}
    columns |= {"alpha": read.alpha, "beta": read.beta, "n": figures["n"].to_numpy(), "flags": ""}
    return pd.DataFrame(columns).sort_values("expression", ignore_index=True)
