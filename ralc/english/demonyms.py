"""The adjectives of countries, by which an answer may name them ("the Indian state of Kerala")."""

#: Those that no ending makes.
_OWN = dict(
    pair.strip().split("=")
    for pair in """
    Afghanistan=Afghan
    Bangladesh=Bangladeshi
    Canada=Canadian
    Czechia=Czech
    Denmark=Danish
    Finland=Finnish
    France=French
    Germany=German
    Greece=Greek
    Hungary=Hungarian
    Iraq=Iraqi
    Ireland=Irish
    Lebanon=Lebanese
    North Korea=North Korean
    Norway=Norwegian
    Pakistan=Pakistani
    Peru=Peruvian
    Philippines=Philippine
    Poland=Polish
    Portugal=Portuguese
    Saudi Arabia=Saudi
    South Africa=South African
    South Korea=South Korean
    Spain=Spanish
    Sweden=Swedish
    Switzerland=Swiss
    Thailand=Thai
    The Netherlands=Dutch
    Turkey=Turkish
    Ukraine=Ukrainian
    United Kingdom=British
    United States=American
    Vietnam=Vietnamese
    """.strip().splitlines()
)
#: Their words, which a sentence writes large though "polish" and "french" are words, too.
NATIONAL = frozenset(_OWN.values())
_ENDINGS = {"a": ("n", "ese"), "n": ("ese", "ian", "i"), "l": ("ian", "i"), "t": ("ian", "i"), "r": ("i",)}


def adjectives(country: str) -> list[str]:
    """Return the adjectives that may be a country's; none where none is known or made by an ending.

    >>> adjectives("France"), adjectives("Japan")
    (['French'], ['Japanese', 'Japanian', 'Japani'])
    """
    if country in _OWN:
        return [_OWN[country]]
    if " " in country or not country[:1].isupper() or len(country) <= 3:
        return []
    endings = _ENDINGS.get(country[-1], ())
    return [country.removesuffix("a" if end == "ese" else "") + end for end in endings]
