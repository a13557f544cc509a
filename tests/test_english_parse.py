"""The parse: kept while it is of use."""

from concurrent.futures import ThreadPoolExecutor

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
