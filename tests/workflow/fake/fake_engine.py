"""An engine that makes up answers to the paper's prompts, at once and always the same.

For runs at full size where no model can be had: put this folder on the Python path (`sitecustomize` gives it in place
of vllm and entailment). Every question has a difficulty, by a hash of its text: an easy one gets the same answer nearly
always, and that answer is more often right. Texts are read by the hedge that they begin with.
"""

import importlib.util
import json
import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from math import log
from pathlib import Path

import ralc.llm
from ralc.llm.engines import ModelConfig
from ralc.llm.requests import Request, Response

_REAL = Path(ralc.llm.__file__).with_name("engines") / f"{__name__.rpartition('.')[2]}.py"
_spec = importlib.util.spec_from_file_location("real_engine", _REAL)
_real = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_real)
#: The keys of an entry are those of the real engine.
Options = _real.Options

#: What the prompts of each step begin with, or hold, in the order in which they are looked for.
_QUOTED = re.compile(r'My answer to the question is: "(.*)"\n', re.DOTALL)
_NEAREST = re.compile(r"confidence profiles: ([^\n:(]+)")
_BETA = re.compile(r"Beta\(alpha=([\d.]+), beta=([\d.]+)\)")
_WORD = re.compile(r'linguistic cue: "(.*?)"')
_LISTED = re.compile(r"^\d+: '(.*)'$", re.MULTILINE)
_ENTAILMENT = ("entailment", "neutral", "contradiction")


def share(*parts: object) -> float:
    """A number in [0, 1) that belongs to some values."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=6).digest()) / 2**48


def question(prompt: str) -> str:
    """The question that a prompt asks."""
    found = re.search(r"Question: (.*)", prompt) or re.search(r"full answer\.\n\n(.*)", prompt)
    return found[1].strip() if found else prompt


def answered(prompt: str, seed: int) -> str:
    """An answer to a question: mostly one and the same where the question is easy."""
    asked = question(prompt)
    kind = 0 if share(asked, seed) > 0.7 * share(asked) else 1 + int(3 * share(asked, seed, "which"))
    if "[Return the answer letter only]" in prompt:
        return "ABCD"[(int(4 * share(asked, "letter")) + kind) % 4]
    if "option letter" in prompt:
        return f"The answer is probably {'ABCD'[(int(4 * share(asked, 'letter')) + kind) % 4]}."
    words = re.findall(r"[A-Za-z]{4,}", asked) or ["it"]
    hedge = "I think " if "convey this uncertainty" in prompt and share(asked) > 0.5 else ""
    return f"{hedge}{words[kind % len(words)].capitalize()} is what number {kind} of the sources says."


def told(prompt: str, seed: int) -> str:
    """A long answer: a sentence for each part of it, which is mostly one and the same where that part is easy."""
    parts = ("was born in", "moved to Lima in", "wrote a first play in", "died in")
    years = []
    for part in parts:
        usual = share(prompt, part, seed) > 0.7 * share(prompt, part)
        years.append(1900 + int(90 * share(prompt, part, 0 if usual else seed, "year")))
    return " ".join(f"She {part} {year}." for part, year in zip(parts, years, strict=True))


def graded(prompt: str, seed: int) -> str:
    """A for the usual answer to an easy question; the same answer always has the same grade."""
    asked = re.findall(r"^Question: (.*)", prompt, re.MULTILINE)[-1]
    predicted = prompt.rpartition("Predicted answer: ")[2].partition("\n")[0]
    draw = share(asked, predicted, "grade")
    if draw > 0.98:
        return "C"
    return "A" if draw < 1 - share(asked) else "B"


def supported(prompt: str, seed: int) -> str:
    """A where the other text holds the sentence, else B."""
    other, _, sentence = (
        prompt.rpartition("Text: ")[2].partition("Does the text say")[0].partition("Sentence: ")
    )
    return "A" if sentence.strip() in other else "B"


def clustered(prompt: str, seed: int) -> str:
    """Equal texts together."""
    texts = _LISTED.findall(prompt.rpartition("Candidate responses:")[2])
    ids = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return json.dumps({"semantic_ids": [ids[text] for text in texts]})


def scored(prompt: str, seed: int) -> str:
    """A score by what stands before the first comma, with some noise; no hedge reads as sure."""
    sentence = prompt.rpartition("Here is the sentence:\n")[2].partition("\n")[0]
    hedge, comma, _ = sentence.partition(", ")
    level = share(hedge.casefold()) if comma and len(hedge) < 50 else 0.93
    return str(round(100 * min(max(level + 0.2 * (share(sentence, seed) - 0.5), 0), 1)))


def rewritten(prompt: str, seed: int) -> str:
    """The nearest hedge before the answer."""
    hedge = _NEAREST.search(prompt)[1].strip()
    return f"{hedge[0].upper()}{hedge[1:]}, {_QUOTED.search(prompt)[1]}"


def directly(prompt: str, seed: int) -> str:
    """A hedge of one's own for a Beta."""
    alpha, beta = map(float, _BETA.search(prompt).groups())
    return f"With {round(10 * alpha / (alpha + beta))} in ten, {_QUOTED.search(prompt)[1]}"


def said(prompt: str, seed: int) -> str:
    """A sentence with a hedge."""
    hedge = _WORD.search(prompt)[1]
    return f"{hedge[0].upper()}{hedge[1:]}, the weather turns number {seed % 12}."


#: Who answers a prompt, by what it holds; the first that fits.
STEPS: list[tuple[str, Callable[[str, int], str]]] = [
    ("Here is the sentence:", scored),
    ("Predicted answer: ", graded),
    ("Does the text say what the sentence says?", supported),
    ("Candidate responses:", clustered),
    ("Target hedging words", rewritten),
    ("Target Beta distribution", directly),
    ("Given a linguistic cue", said),
    ("Tell me a bio of", told),
    ("", answered),
]


class Fake:
    """The engine."""

    def answer(self, requests: Iterable[Request]) -> Iterator[tuple[int, list[Response]]]:
        """Answer one request after the other; see `ralc.llm.engines.Engine`."""
        for index, request in enumerate(requests):
            yield index, [self._one(request, number) for number in request.numbers]

    def close(self) -> None:
        """Nothing is held."""

    def _one(self, request: Request, number: int) -> Response:
        if request.messages[0]["role"] == "user" and len(request.messages) == 2:
            odds = [share(request.messages, label) + 1e-3 for label in _ENTAILMENT]
            logprobs = tuple(log(odd / sum(odds)) for odd in odds)
            return Response(request.key, "entailment", "stop", prompt_tokens=60, alternatives=logprobs)
        prompt = request.messages[-1]["content"]
        seed = request.seed + number
        step = next(function for mark, function in STEPS if mark in prompt)
        text = step(prompt, seed)
        tokens = len(text) // 4 + 1
        level = share(question(prompt))
        logprobs = tuple(-level * share(seed, place) for place in range(tokens)) if request.logprobs else None
        return Response(request.key, text, "stop", logprobs, len(prompt) // 4, tokens, sample=number)


def start(entry: ModelConfig) -> Fake:
    """Nothing to load; in a folder with a file `no_models` there is no model."""
    assert not Path("no_models").exists(), f"a model was asked: {entry.model}"
    return Fake()
