"""The parse: kept while it is of use, by a model that does not grow with what it reads."""

from concurrent.futures import ThreadPoolExecutor

from ralc.english import parse


def texts(n, word="Zorb"):
    """Texts of words that nobody knows."""
    return [f"The capital of {word}{number}lia is {word}{number}ville." for number in range(n)]


def test_the_model_does_not_keep_every_word_that_it_ever_met(monkeypatch):
    monkeypatch.setattr(parse, "MOST_STRINGS", len(parse._model().vocab.strings) + 100)
    for text in texts(60):
        parse.parse(text)
        assert len(parse._model().vocab.strings) < parse.MOST_STRINGS + 20


def test_texts_may_be_parsed_side_by_side(monkeypatch):
    monkeypatch.setattr(parse, "KEPT", 5)
    wanted = texts(80, "Quim")
    with ThreadPoolExecutor(4) as hands:
        assert list(hands.map(lambda text: parse.parse_all([text, "It is Lima."])[0].text, wanted)) == wanted
    assert len(parse._parses) <= 5


def test_what_no_space_parts_is_parsed_in_pieces_and_in_its_place():
    """Ten thousand brackets took nine seconds: the parser looks for an end of a word anew at every character."""
    doc = parse.parse("(" * 450 + " It is Rome.")
    assert doc.text[doc[-2].idx :] == "Rome."
    assert max(map(len, doc.text.split())) == 199
