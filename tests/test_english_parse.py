"""The parse: kept while it is of use, by a model that does not grow with what it reads."""

from concurrent.futures import ThreadPoolExecutor

from ralc.english import parse


def texts(n, word="Zorb"):
    """Texts of words that nobody knows."""
    return [f"The capital of {word}{number}lia is {word}{number}ville." for number in range(n)]


def test_the_model_does_not_keep_every_word_that_it_ever_met(monkeypatch):
    monkeypatch.setattr(parse, "MOST_STRINGS", len(parse._model().vocab.strings) + 100)
    before = [token.dep_ for token in parse.parse("It is Lima.")]
    for text in texts(60):
        parse.parse(text)
        assert len(parse._model().vocab.strings) < parse.MOST_STRINGS + 20
    assert [token.dep_ for token in parse.parse("It is Lima.")] == before


def test_texts_may_be_parsed_side_by_side_and_forgotten_meanwhile(monkeypatch):
    monkeypatch.setattr(parse, "KEPT", 5)

    def parsed(text):
        parse.forget()
        return parse.parse_all([text, "It is Lima."])[0].text

    wanted = texts(80, "Quim")
    with ThreadPoolExecutor(4) as hands:
        assert list(hands.map(parsed, wanted)) == wanted
    assert len(parse._parses) <= 5


def test_what_no_space_parts_is_parsed_in_pieces_and_in_its_place():
    """Ten thousand brackets took nine seconds: the parser looks for an end of a word anew at every character."""
    doc = parse.parse("(" * 450 + " It is Rome.")
    assert len(doc.text) == 462
    assert doc[-2].text == "Rome"
    assert doc.text[doc[-2].idx :] == "Rome."
    assert max(map(len, doc.text.split())) == 199
