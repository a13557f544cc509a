"""Clusters without a model: what the answers claim, by its names, its numbers and the overlap of its words."""

from collections import Counter
from collections.abc import Iterable, Sequence

from ralc.clustering.signatures import Signature, signature
from ralc.english.alignment import without_background
from ralc.english.candidates import KINDS, NEW_NAME
from ralc.english.countries import also_called
from ralc.english.demonyms import adjectives
from ralc.english.participants import exchanged
from ralc.english.spelling import differ_in_doubling, misspelt
from ralc.english.truecasing import case_of

#: Least F1 overlap of two claims' words that makes them one, where neither holds the other.
OVERLAP = 0.7


def lexical_clusters(texts: Sequence[str], question: str, choices: Sequence[str] = ()) -> list[int]:
    """Return the cluster of each answer: one for all answers that claim the same.

    Clusters are numbered by first appearance; a claim joins the first cluster whose barest claim it resembles.
    What an answer claims is what its clauses add to the question that align best with it, as the grader reads them
    (`ralc.clustering.clauses`). Numbers must have the same value ("eight" and "8"); the names of one claim must all be
    said by the other, too, in full or by their end ("West Bengal, India" and "India"; not "Papua New Guinea" and
    "Guinea"); other words must overlap by at least `OVERLAP` (F1), or one claim hold the other; yes is not no, and who
    did it is not to whom.
    Several answers in one, denials and sentences about something else are compared among themselves.
    Denials of different answers are different claims, because the meaning is what is uncertain, and "It is not Paris"
    leaves open that it is Rome. Abstentions are one cluster, whatever they say that the background leaves open: as an
    answer each says that there is none. With `choices`, an answer that names one choice (by letter, text, or the
    adjective of a country) claims that choice. A question may stand behind its background, as in a prompt.

    >>> lexical_clusters(["It is Paris.", "Paris, of course.", "Lyon."], "What is the capital of France?")
    [0, 0, 1]
    """
    question = without_background(question)
    clusters: dict[str, int] = {}
    claims: list[Signature] = []
    for text in dict.fromkeys(texts):
        made = signature(text, question, choices)
        nearest = next((place for place, claim in enumerate(claims) if same(made, claim)), None)
        if nearest is None:
            clusters[text] = len(claims)
            claims.append(made)
            continue
        clusters[text] = nearest
        # The barest claim speaks for a cluster: "Lviv, Ukraine" and "Kyiv, Ukraine" meet in "Ukraine".
        if 0 < len(made.names) < len(claims[nearest].names):
            claims[nearest] = made
    return [clusters[text] for text in texts]


def same(a: Signature, b: Signature) -> bool:
    """Return whether two claims are one."""
    if a.kind != b.kind or not _same_numbers(a.numbers, b.numbers):
        return False
    if a.kind in {"choice", "polar", "none"} or a.words == b.words:
        return a.words == b.words and not exchanged(a.said, b.said)
    if a.kind == "several":
        return _held(a.names, b.names) and _held(b.names, a.names) and bool(a.names)
    if a.kind in {"elsewhere", "denied"}:
        return _overlap(a, b) and a.names == b.names
    return _same_answer(*sorted((a, b), key=lambda claim: len(claim.names)))


def _same_answer(few: Signature, many: Signature) -> bool:
    """Whether two answers are one, the one with fewer names first: by their numbers, names, or other words."""
    if few.numbers and many.numbers and few.names == many.names:
        return True
    if few.names and many.names:
        return _held(few.names, many.names)
    within = few.words <= many.words or many.words <= few.words
    return not few.words.isdisjoint(many.words) and (within or _overlap(few, many))


def _overlap(a: Signature, b: Signature) -> bool:
    """Whether the words of two claims overlap enough."""
    return 2 * len(a.words & b.words) >= OVERLAP * (len(a.words) + len(b.words))


def _same_numbers(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether numbers are the same ones where both have any."""
    return not (some and others) or some == others


def _held(few: frozenset[tuple[str, ...]], many: frozenset[tuple[str, ...]]) -> bool:
    """Whether all of a few names are among many, in full, or without what only says their kind."""
    return all(
        any(_one(name, other) or _short(name, other) or _short(other, name) for other in many) for name in few
    )


def _short(name: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether a name is the end of another: the last name of a person, or what stands behind its kind."""
    rest = other[: -len(name)]
    if not rest or not _one(name, other[-len(name) :]):
        return False
    if rest[-1] == "of":
        return KINDS.issuperset(rest[:-1])
    common = [word for word in (*rest, *name) if case_of(word) == "small"]
    return not (common or {"of", *NEW_NAME} & set(rest))


def _one(name: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names are one but for doubled letters ("Sana", "Sana'a") or a slip, of one country, or one is the
    other's adjective."""
    if " ".join(other).lower() in map(str.lower, also_called(" ".join(name))):
        return True
    return len(name) == len(other) and all(
        a == b or differ_in_doubling(a, b) or _slip(a, b) or _adjective(a.capitalize(), b.capitalize())
        for a, b in zip(name, other, strict=True)
    )


def _slip(a: str, b: str) -> bool:
    """Whether two long words are one but for a slip of the pen."""
    return min(len(a), len(b)) >= 8 and a.isalpha() and any(misspelt(a, [b]))


def _adjective(a: str, b: str) -> bool:
    """Whether one of two names is the other's adjective."""
    return a.removesuffix("s") in adjectives(b) or b.removesuffix("s") in adjectives(a)


def largest_cluster(clusters: Iterable[int]) -> int:
    """The largest cluster of a question, of equals the one that appears first.

    >>> largest_cluster([2, 0, 0, 2])
    2
    """
    # A Counter keeps the order of first appearance, also among equals.
    return Counter(clusters).most_common(1)[0][0]
