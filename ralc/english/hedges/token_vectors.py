"""The parser's vectors of tokens, as spaCy's model computes them, without what only its training needs.

A token by itself has the same vector in every text, so that it is kept. What stands around it is mixed in by four
layers over windows of three tokens. A text of ten words takes a third of the time of the model's own layers.
"""

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc
    from thinc.api import Model

FloatArray = NDArray[np.float32]

#: Tokens whose vectors are kept (about 600 bytes each).
KEPT = 4_000
#: What keeps a variance above zero, as in the model.
_LEAST = np.float32(1e-8)


class _Window(NamedTuple):
    """A layer over windows of three tokens: its weights and bias, and the scale and shift of what comes out.

    Of each number that comes out `pieces` are computed, and the largest is taken.
    """

    weights: FloatArray
    bias: FloatArray
    pieces: int
    scale: FloatArray
    shift: FloatArray

    @classmethod
    def of(cls, layer: "Model") -> Self:
        """Return a layer of the model."""
        parts = {part.name: part for part in layer.walk()}
        maxout, norm = parts["maxout"], parts["layernorm"]
        width, pieces, size = maxout.get_param("W").shape
        # Their columns in memory side by side, they are read in half the time.
        weights = np.ascontiguousarray(maxout.get_param("W").reshape(width * pieces, size).T)
        return cls(weights, maxout.get_param("b").ravel(), pieces, norm.get_param("G"), norm.get_param("b"))

    def __call__(self, vectors: FloatArray, ops: Any) -> FloatArray:
        """Return what is added to vectors, of their shape ``(n, width)``."""
        found = np.dot(ops.seq2col(vectors, 1), self.weights)
        found += self.bias
        added, _ = ops.maxout(found.reshape(*vectors.shape, self.pieces))
        width = np.float32(added.shape[1])
        added -= np.einsum("ij->i", added)[:, None] / width
        added /= np.sqrt(np.einsum("ij,ij->i", added, added)[:, None] / width + _LEAST)
        added *= self.scale
        added += self.shift
        return added


class TokenVectors:
    """Stands in the place of the model of a pipeline's ``tok2vec``.

    Parameters
    ----------
    model
        The model: an embedding of tokens, and layers over windows of them (spaCy's ``HashEmbedCNN``).
    """

    def __init__(self, model: "Model") -> None:
        embedding, windows = model.layers
        features, _, tables, mix, *_ = embedding.layers
        self.ops = model.ops
        self.get_dim = model.get_dim
        self._columns = features.attrs["columns"]
        self._alone = (tables, mix)
        self._gap = windows.attrs["pad"]
        self._windows = [_Window.of(layer) for layer in windows.layers[0].layers]
        self._kept: dict[bytes, FloatArray] = {}

    def predict(self, docs: "Sequence[Doc]") -> list[FloatArray]:
        """Return the vectors of the tokens of each text, of shape ``(tokens, width)``."""
        starts = []
        length = self._gap  # zeros between texts, over which no window reaches
        for doc in docs:
            starts.append(length)
            length += len(doc) + self._gap
        vectors = np.zeros((length, self.get_dim("nO")), np.float32)
        spans = [slice(start, start + len(doc)) for start, doc in zip(starts, docs, strict=True)]
        tokens = [[*map(bytes, doc.to_array(self._columns))] for doc in docs]
        known = self._known(tokens)
        for span, row in zip(spans, tokens, strict=True):
            if row:
                vectors[span] = [known[token] for token in row]
        for window in self._windows:
            vectors += window(vectors, self.ops)
        return [vectors[span] for span in spans]

    def _known(self, tokens: list[list[bytes]]) -> dict[bytes, FloatArray]:
        """The vectors of tokens by themselves."""
        if len(self._kept) > KEPT:
            self._kept = {}
        if new := list(dict.fromkeys(token for row in tokens for token in row if token not in self._kept)):
            found = np.frombuffer(b"".join(new), np.uint64).reshape(len(new), -1)
            for layer in self._alone:
                found = layer.predict(found)
            self._kept.update(zip(new, found.copy(), strict=True))
        return self._kept
