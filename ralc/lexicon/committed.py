"""The committed hedging expressions, and what is said of each."""

from ralc import data
from ralc.io.rows import read_rows

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


def committed() -> list[dict[str, str]]:
    """Return the expressions, each with ``expression, source, frame, kind, register, polarity``.

    >>> committed()[0]["expression"], committed()[0]["frame"]
    ('absolutely', 'adverb')
    """
    return [row.cells for row in read_rows(data.path("hedges.csv"))]
