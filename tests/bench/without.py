"""A module of rules switched off: its entry points give the answers that change nothing, wherever they are imported."""

import importlib
import pkgutil
import sys
from collections.abc import Callable
from typing import Any

import ralc

Neutral = Callable[..., Any]


def _same(text: str, *_: object, **__: object) -> str:
    return text


def _always(answer: Any) -> Neutral:
    return lambda *_, **__: answer


def _whole(text: str) -> list[Any]:
    from ralc.english.cue_weights import WeightedSentence
    from ralc.english.cues import read_cues

    return [WeightedSentence(read_cues(text), 1.0)]


#: What each entry point of a module answers when the module is switched off.
NEUTRAL: dict[str, dict[str, Neutral]] = {
    "grading.commitment": {"aligned": _always(()), "committed": _always(frozenset())},
    "grading.several": {"several": _always(False)},
    "grading.aliases": {
        "in_one_writing": lambda text, right, wrong: (text, right, wrong),
        "other_names": _always([]),
    },
    "grading.wording": {
        "adds": _always(False),
        "in_part": _always(False),
        "nearest": _always(None),
        "sentences_alone": _always(False),
    },
    "english.abstentions": {"denies_asked": _always(None), "denying_clauses": _always([])},
    "english.alignment": {
        "main_clauses": _same,
        "of_another": _always(False),
        "on_topic": _always(True),
        "own_subject": _always(None),
        "relates": _always(True),
    },
    "english.claims": {"corrected": _same, "without_asides": _same},
    "english.contractions": {"in_full": _same},
    "english.demonyms": {"adjectives": _always([])},
    "english.denials": {"affirmed_and_denied": lambda text: (text, "")},
    "english.language_check": {"unread": _always("")},
    "english.dates": {"in_writing": _same},
    "english.stated_numbers": {"stated_numbers": _always([])},
    "english.numerals": {"in_digits": _same},
    "english.cue_weights": {"weighted_sentences": _whole},
    "english.polarity": {"polarity": _always(None), "said_alone": _always(None)},
    "english.participants": {"exchanged": _always(False), "misplaced": _always(False)},
    "english.statements": {"asked": _always(None), "statements": _always(())},
    "english.countries": {"also_called": _always([]), "without_forms": _same},
    "english.spelling": {
        "differ_in_doubling": _always(False),
        "misspelt": _always(()),
    },
}


def switch_off(module: str) -> None:
    """Replace the entry points of a module in this process, before anything has been read.

    Raises
    ------
    ValueError
        If the module has no neutral answers here.
    """
    if module not in NEUTRAL:
        raise ValueError(f"--without {module}: choose one of {', '.join(NEUTRAL)}")
    for room in ("english", "grading", "clustering", "readers", "rewriting"):
        for found in pkgutil.iter_modules([f"{ralc.__path__[0]}/{room}"], f"ralc.{room}."):
            importlib.import_module(found.name)
    home = importlib.import_module(f"ralc.{module}")
    loaded = [one for name, one in sys.modules.items() if name.startswith("ralc.")]
    for name, neutral in NEUTRAL[module].items():
        original = getattr(home, name)
        for one in loaded:
            for own, value in list(vars(one).items()):
                if value is original:
                    setattr(one, own, neutral)
