"""How alike several answers are word by word: the graph signals of Lin et al. (2024, *Generating with Confidence*)."""

import re
from collections.abc import Sequence

import numpy as np

from ralc.beta import Beta
from ralc.beta.validation import Floats, as_floats, require
from ralc.protocols import Protocol
from ralc.signals.agreement import of_several

#: Eigenvectors of the Laplacian beyond this eigenvalue are noise (Lin et al. 2024, appendix).
_LARGEST_EIGENVALUE = 0.9
_WORD = re.compile(r"\w+")


def jaccard(texts: Sequence[str]) -> Floats:
    """Return the shared words of each two answers out of all of either, shape (answers, answers), in [0, 1].

    The one of Lin et al.'s similarities that asks no model. Texts without a word are alike.

    >>> jaccard(["It is Paris.", "Paris"]).round(3).tolist()
    [[1.0, 0.333], [0.333, 1.0]]
    """
    words = [frozenset(_WORD.findall(text.casefold())) for text in texts]
    return np.array([[len(a & b) / len(a | b) if a | b else 1.0 for b in words] for a in words])


def degree(similarity: Floats, answer: int = 0, protocol: str | Protocol = "ralc") -> Beta:
    """Confidence in one answer by its mean similarity to all N (Lin et al. 2024: C_Deg); concentration N.

    Parameters
    ----------
    similarity : array of shape (answers, answers)
        Symmetric, in [0, 1], 1 of an answer with itself; at least two answers.
    answer : int
        Which answer.
    protocol : str or Protocol
        Its ``resolution`` keeps the mean off the ends.

    Raises
    ------
    ValueError
        If `similarity` is no such matrix.

    Examples
    --------
    >>> degree(np.array([[1, 0.5], [0.5, 1]])).mean
    np.float64(0.75)
    """
    w = _checked(similarity)
    return of_several(w[answer].mean(), len(w), protocol)


def eccentricity(similarity: Floats, answer: int = 0, protocol: str | Protocol = "ralc") -> Beta:
    """Confidence in one answer by its distance to the centre of all N (Lin et al. 2024: C_Ecc): one less its
    eccentricity, in (0, 1]; concentration N.

    An answer's place is its row in the eigenvectors of the normalised graph Laplacian with an eigenvalue below .9. A
    row of orthonormal vectors less their means is shorter than 1. Parameters and errors as of `degree`.

    >>> eccentricity(np.ones((3, 3))).mean.round(6)
    np.float64(0.9875)
    """
    w = _checked(similarity)
    scale = 1 / np.sqrt(w.sum(axis=1))
    values, vectors = np.linalg.eigh(np.eye(len(w)) - scale[:, None] * w * scale)
    places = vectors[:, values < _LARGEST_EIGENVALUE]
    return of_several(1 - np.linalg.norm((places - places.mean(axis=0))[answer]), len(w), protocol)


def _checked(similarity: Floats) -> Floats:
    """A matrix of similarities of at least two answers."""
    w = require(as_floats(similarity, "similarity"), lambda v: (v >= 0) & (v <= 1), "similarity", "in [0, 1]")
    if w.ndim != 2 or len(w) < 2 or w.shape[0] != w.shape[1] or not np.array_equal(w, w.T):
        raise ValueError(
            f"similarity must be a symmetric matrix of at least two answers: its shape is {w.shape}"
        )
    return require(
        w, lambda v: (v == 1) | ~np.eye(len(v), dtype=bool), "similarity", "1 of an answer with itself"
    )
