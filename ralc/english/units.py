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
    "kelvin": {"K kelvin kelvins": 1.0},
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
_QUANTITY = re.compile(rf"({_NUMBER})(?:(?:\s?| of an? ){UNIT})?(?![\d,.]*\d)", re.IGNORECASE)
# "1 hour and 30 minutes", "2 halves of 45 minutes"
_SUM = re.compile(rf"({_NUMBER})\s?({_SPELT})(?:,|,? and)? ({_NUMBER})\s?({_SPELT})(?!\w)", re.IGNORECASE)
_PRODUCT = re.compile(
    rf"(?<![\w.,])(\d{{1,3}}) \w+(?: of|,? each(?: \w+)?) ({_NUMBER})\s?({_SPELT})(?!\w)", re.IGNORECASE
)
#: The size of a degree in kelvins, and how many are below zero.
_DEGREES = {"celsius": (1.0, 273.15), "fahrenheit": (5 / 9, 459.67), "kelvin": (1.0, 0.0)}
_RATE = re.compile(rf"({_NUMBER}\s?{_SINGLE})\s?/\s?(?=(?:{_SINGLE}|s|sec|min|h|hr)(?!\w))", re.IGNORECASE)
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

    def multiplied(found: re.Match[str]) -> str:
        value, said = int(found[1]) * _value(found[2]), _single(None, found[3], None)
        return f"{value:.12g} {found[3]}" if unit and _moved(value, said, unit) in numbers else found[0]

    def converted(found: re.Match[str]) -> str:
        written, said = found[1], _unit(*found.groups()[1:], rate=rate) if found[3] else None
        moved = unit is not None and said is not None and said != unit
        below = moved and found.string.endswith(("-", "−"), 0, found.start())
        value = _moved(_value(written), said, unit, below=below) if moved else _value(written)
        if value is None:
            return f"{written}{found[3]}".replace("%", "percent").replace("°", "degrees")
        rounds = said is not None or "." in written or value >= 10_000
        same = next(
            (
                number
                for number in numbers
                if (rounds and _rounded(number, value if moved else written))
                or (moved and _rounded(_moved(number, unit, said), written))
            ),
            None,
        )
        if same is not None or moved:
            return f"{round(value if same is None else same, 6):.12g}"
        return written if unit and said else found[0]

    return _QUANTITY.sub(converted, _PRODUCT.sub(multiplied, _SUM.sub(_added, text)))


def _added(found: re.Match[str]) -> str:
    """Two quantities as one, in the second one's unit, where that is of the same kind and smaller."""
    (kind, large), (other, small) = _single(None, found[2], None), _single(None, found[4], None)
    if kind != other or small >= large:
        return found[0]
    return f"{_value(found[1]) * large / small + _value(found[3]):.9g} {found[4]}"


def _moved(value: float, said: Unit, unit: Unit, *, below: bool = False) -> float | None:
    """A value in another unit; None where that measures something else, and of degrees below zero."""
    if said[0] == unit[0]:
        return value * said[1] / unit[1]
    if below or not {said[0], unit[0]} <= _DEGREES.keys():
        return None
    (size, zero), (other, start) = _DEGREES[said[0]], _DEGREES[unit[0]]
    return (value + zero) * size / other - start


def _value(written: str) -> float:
    return float(written.replace(",", ""))


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
    return [_value(one[1]) for one in found if one]


def spelt_out(text: str) -> str:
    """Return a text with its rates in words, a slash between units being no other answer, and with its sums as one.

    >>> spelt_out("19.3 g/cm³, iron/steel"), spelt_out("5 feet 11 inches")
    ('19.3 g per cm³, iron/steel', '71 inches')
    """
    return _SUM.sub(_added, _RATE.sub(r"\1 per ", text))


def quantities(text: str) -> frozenset[tuple[Unit, float]]:
    """Return what a text measures, each with its unit and how large it is in the base unit.

    >>> [(unit, round(size)) for (unit, _), size in quantities("about 22.59 g/cm³, at 20 degrees")]
    [('mass per cubic length', 22590)]
    """
    summed = _SUM.sub(_added, text)
    found = ((_unit(*one.groups()[1:]), _value(one[1])) for one in _QUANTITY.finditer(summed) if one[3])
    return frozenset(_in_base(unit, number) for unit, number in found)


def _in_base(unit: Unit, number: float) -> tuple[Unit, float]:
    """A quantity in the base unit; of temperature in degrees Celsius, with the size of its own degree."""
    if unit[0] not in _DEGREES:
        return unit, number * unit[1]
    size, zero = _DEGREES[unit[0]]
    return ("celsius", size), (number + zero) * size - _DEGREES["celsius"][1]


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
