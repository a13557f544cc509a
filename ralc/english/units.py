"""Numbers with units, so that "8.849 km" and "8,849" metres are one answer and "8,849 feet" is another."""

import re
from collections.abc import Sequence

#: Units by what they measure, each with its size; every spelling of one stands in one string.
_SIZES: dict[str, dict[str, float]] = {
    "length": {
        "mm millimetre millimetres millimeter millimeters": 0.001,
        "cm centimetre centimetres centimeter centimeters": 0.01,
        "inch inches": 0.0254,
        "ft foot feet": 0.3048,
        "yard yards": 0.9144,
        "m metre metres meter meters": 1.0,
        "km kilometre kilometres kilometer kilometers": 1000.0,
        "mile miles": 1609.344,
    },
    "mass": {
        "mg milligram milligrams": 1e-6,
        "g gram grams": 0.001,
        "ounce ounces": 0.028349523,
        "kg kilogram kilograms kilo kilos": 1.0,
        "tonne tonnes": 1000.0,
    },
    "cubic length": {
        "ml millilitre millilitres milliliter milliliters cc": 1e-6,
        "l litre litres liter liters": 0.001,
    },
    "time": {
        "second seconds": 1.0,
        "minute minutes": 60.0,
        "hour hours": 3600.0,
        "day days": 86400.0,
        "week weeks": 604800.0,
        "month months": 2629800.0,
        "year years": 31557600.0,
        "decade decades": 315576000.0,
    },
    "celsius": {"°C celsius": 1.0},
    "fahrenheit": {"°F fahrenheit": 1.0},
    "kelvin": {"kelvin kelvins": 1.0},
    "share": {"% percent": 1.0},
}
Unit = tuple[str, float]
_UNITS: dict[str, Unit] = {
    spelling.casefold(): (measured, size)
    for measured, sizes in _SIZES.items()
    for spellings, size in sizes.items()
    for spelling in spellings.split()
}
_SPELT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_NUMBER = r"(?<![\w.,])\d++(?:,\d{3})*+(?:\.\d++)?+"
_POWERS = {"sq": 2, "cu": 3, "2": 2, "²": 2, "3": 3, "³": 3}
_POWER_NAMES = {2: "square", 3: "cubic"}
_SINGLE = rf"(square |sq\.? |cubic )?(?:degrees )?({_SPELT})(\^?[23]|[²³])?"
#: The pattern of a unit, or of one per another.
UNIT = rf"{_SINGLE}(?:(?:\s?/\s?| per ){_SINGLE})?(?!\w)"
_QUANTITY = re.compile(rf"({_NUMBER})(?:\s?{UNIT})?(?![\d,.]*\d)", re.IGNORECASE)
_RATE = re.compile(rf"({_NUMBER}\s?{_SINGLE})\s?/\s?(?=(?:{_SINGLE}|s|sec|min|h|hr)(?!\w))", re.IGNORECASE)
_AND = re.compile(r",?\s*(?:and\s+)?")
#: Scales of temperature as degrees Celsius: the size of a degree, and where zero is.
_TEMPERATURES = {"fahrenheit": (5 / 9, -160 / 9), "kelvin": (1.0, -273.15)}
_COUNTED = re.compile(r"\bhow many\b|\bpopulation\b", re.IGNORECASE)
_ASKED = re.compile(rf"\b(?:in|how many)\s+{UNIT}", re.IGNORECASE)


def in_unit(text: str, unit: Unit | None, numbers: Sequence[float] = ()) -> str:
    """Return a text with its quantities as numbers of one unit; what measures something else is no bare number.

    Parameters
    ----------
    text
        With its numbers in digits.
    unit
        What is asked for (see `unit_asked`), None for nothing in particular.
    numbers
        Numbers that are written in full where the text rounds them, to two figures or more; years and other small
        whole numbers are never rounded.

    >>> in_unit("It is 8.849 km (29,032 feet) high.", unit_asked("How high is it in metres?", []))
    'It is 8849 (8848.9536) high.'
    """

    rate = unit is not None and " per " in unit[0]

    def converted(found: re.Match[str]) -> str:
        written, said = found[1], _unit(*found.groups()[1:], rate=rate) if found[3] else None
        value = float(written.replace(",", ""))
        if unit and said and said[0] != unit[0]:
            return f"{written}{found[3]}".replace("%", "percent").replace("°", "degrees")
        moved = bool(unit and said and said[1] != unit[1])
        if moved:
            value *= said[1] / unit[1]
        rounds = said is not None or "." in written or value >= 10_000
        same = next(
            (number for number in numbers if rounds and _rounded(number, written if not moved else value)),
            None,
        )
        if same is not None or moved:
            return f"{round(value if same is None else same, 6):.12g}"
        return written if unit and said else found[0]

    return _QUANTITY.sub(converted, text)


def unit_asked(question: str, accepted: Sequence[str]) -> Unit | None:
    """Return the unit that a question asks for, or that its accepted answers have, as what it measures and its size.

    What is only counted has a unit, too, so that no "square kilometres" are people.

    >>> unit_asked("How long is it in km?", ["42"]), unit_asked("How long is it?", ["42"])
    (('length', 1000.0), None)
    """
    asked = _ASKED.search(question)
    if asked:
        return _unit(*asked.groups())
    found = (_QUANTITY.fullmatch(name.strip()) for name in accepted)
    own = next((_unit(*one.groups()[1:]) for one in found if one and one[3]), None)
    return ("count", 1.0) if own is None and _COUNTED.search(question) else own


def numbers_of(names: Sequence[str], unit: Unit | None) -> list[float]:
    """Return the numbers that some names are, in a unit."""
    found = (_QUANTITY.fullmatch(in_unit(name, unit).strip()) for name in names)
    return [float(one[1].replace(",", "")) for one in found if one]


def spelt_out(text: str) -> str:
    """Return a text with its rates in words: a slash between units is no other answer.

    >>> spelt_out("19.3 g/cm³, iron/steel")
    '19.3 g per cm³, iron/steel'
    """
    return _RATE.sub(r"\1 per ", text)


def quantities(text: str) -> frozenset[tuple[Unit, float]]:
    """Return what a text measures, each with its unit and how large it is in the base unit.

    >>> [(unit, round(size)) for (unit, _), size in quantities("about 22.59 g/cm³, at 20 degrees")]
    [('mass per cubic length', 22590)]
    """
    made: list[tuple[Unit, float]] = []
    end = -1
    for one in _QUANTITY.finditer(text):
        if not one[3]:
            continue
        unit, number = _unit(*one.groups()[1:]), float(one[1].replace(",", ""))
        scale, zero = _TEMPERATURES.get(unit[0], (1.0, 0.0))
        named = ("celsius", scale) if scale != 1.0 or zero else unit
        size = number * unit[1] * scale + zero
        # "5 feet 11 inches": smaller units of one kind go on.
        if (
            made
            and made[-1][0][0] == named[0]
            and made[-1][0][1] > named[1]
            and _AND.fullmatch(text, end, one.start())
        ):
            size += made.pop()[1]
        made.append((named, size))
        end = one.end()
    return frozenset(made)


def agree(some: frozenset[tuple[Unit, float]], others: frozenset[tuple[Unit, float]]) -> bool:
    """Return whether two texts' quantities are the same ones, as far as both measure the same.

    >>> agree(quantities("8.849 km"), quantities("8,849 m")), agree(quantities("19 g/l"), quantities("19 g/ml"))
    (True, False)
    """
    shared = {unit[0] for unit, _ in some} & {unit[0] for unit, _ in others}
    sizes, known = ([(unit[0], size) for unit, size in side if unit[0] in shared] for side in (some, others))
    return bool(shared) and all(
        any(measured == other and _rounded(size, value) for other, value in there)
        for here, there in ((sizes, known), (known, sizes))
        for measured, size in here
    )


def _unit(
    before: str | None,
    spelling: str,
    after: str | None,
    before_per: str | None = None,
    per: str | None = None,
    after_per: str | None = None,
    *,
    rate: bool = True,
) -> Unit:
    """What a unit measures, and its size; of what is counted by time or length ("km per hour") what is counted."""
    measured, size = _single(before, spelling, after)
    if not (rate and per):
        return measured, size
    below, of = _single(before_per, per, after_per)
    if not below.startswith(("square", "cubic")):
        return measured, size
    return f"{measured} per {below}", float(f"{size / of:.9g}")


def _single(before: str | None, spelling: str, after: str | None) -> Unit:
    measured, size = _UNITS[spelling.casefold()]
    power = _POWERS[(after or before or "").strip("^ ")[:2].casefold()] if before or after else 1
    return (f"{_POWER_NAMES[power]} {measured}", size**power) if power > 1 else (measured, size)


def _rounded(number: float, written: str | float) -> bool:
    """Whether a number as it is written, with two figures or more, is another one rounded; of a float, to four."""
    if isinstance(written, float):
        return abs(number - written) <= 5e-4 * abs(number)
    digits = written.replace(",", "")
    whole, _, decimals = digits.partition(".")
    figures = len((whole + decimals).strip("0") if not decimals else (whole + decimals).lstrip("0"))
    step = 10.0 ** (-len(decimals) if decimals else len(whole) - len(whole.rstrip("0")))
    return (
        figures >= 2
        and float(digits) != number
        and abs(float(digits) - number) <= step / 2
        and step < abs(number)
    )
