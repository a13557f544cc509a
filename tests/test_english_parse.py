"""The parse: kept while it is of use."""

import importlib
import importlib.util
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ralc.english.hedges import parse


def test_texts_may_be_parsed_side_by_side(monkeypatch):
    monkeypatch.setattr(parse, "KEPT", 5)
    wanted = [f"The capital of Quim{number}lia is Quim{number}ville." for number in range(80)]
    with ThreadPoolExecutor(4) as hands:
        assert list(hands.map(lambda text: parse.parse_all([text, "It is Lima."])[0].text, wanted)) == wanted
    assert len(parse._parses) <= 5


def test_what_no_space_parts_is_parsed_in_pieces_and_in_its_place():
    """Ten thousand brackets took nine seconds: the parser looks for an end of a word anew at every character."""
    doc = parse.parse("(" * 450 + " It is Rome.")
    assert doc.text[doc[-2].idx :] == "Rome."
    assert max(map(len, doc.text.split())) == 199


def test_vectors_of_tokens_are_those_of_the_model(monkeypatch):
    """The layers are spaCy's, computed without what training needs; a token's own vector is kept, and made again."""
    from ralc.english.hedges import token_vectors

    package = next(name for name in parse.MODELS if importlib.util.find_spec(name))
    pipeline = importlib.import_module(package).load(exclude=["ner", "tokenizer", "lemmatizer"])
    model = pipeline.get_pipe("tok2vec").model
    monkeypatch.setattr(token_vectors, "KEPT", 3)
    vectors = token_vectors.TokenVectors(model)
    assert all(layer.weights.flags.c_contiguous for layer in vectors._windows)  # read in half the time
    texts = ["The bridge of Lima is old.", "", "It's 12 km, I think!", "a", "\n\n It is in the port of Łódź."]
    for part in (texts, texts[:1], ["", ""], texts[::-1]):
        docs = [pipeline.make_doc(text) for text in part]
        for doc, made, right in zip(docs, vectors.predict(docs), model.predict(docs), strict=True):
            assert made.shape == (len(doc), 96)
            np.testing.assert_allclose(made, right, atol=1e-4)
