"""Rating: who is asked what, what the page takes and writes, and how a real browser shows it."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from starlette.testclient import TestClient

from ralc.rating import materials, ratings
from ralc.rating.design import Design, people_needed
from ralc.rating.form import make_app
from tests import browser
from tests.serving import running
from tests.synthetic import NASTY, make_lexicon

WAYS = ("original", "ralc", "constant_hedge")
PERSON = "0123abcd"


def texts(n: int = 20) -> pd.DataFrame:
    """Half of the questions with a wrong answer, each in three ways."""
    return pd.DataFrame(
        {
            "question_id": f"q{at}",
            "question": f"What is {at}? {NASTY}",
            "choices": [f"{at} {NASTY}", "none"] if at % 2 else [],
            "context": "" if at % 2 else f"It says {at}. {NASTY}",
            "answer": f"It is {at}.",
            "way": way,
            "text": f"{way}: it is {at}. {NASTY}",
            "read": 0.5,
            "correct": at % 2,
        }
        for at in range(n)
        for way in WAYS
    )


@pytest.fixture
def design():
    """Six questions a person, in three ways."""
    return Design(texts(), WAYS, 6, 1)


def rate(client: TestClient, place: int = 0, person: str = PERSON, **said: str):
    """Send one rating."""
    form = {"before": "40", "sounds": "70", "accepted": "yes", "after": "55"} | said
    return client.post(f"/{person}/{place}/rating", data=form, follow_redirects=False)


class TestDesign:
    def test_each_question_comes_once_and_the_ways_and_sides_are_balanced(self, design):
        for person in ("a", "b", "c"):
            asked = design.of(person)
            assert len({trial["question_id"] for trial in asked}) == 6
            assert Counter(trial["way"] for trial in asked) == dict.fromkeys(WAYS, 2)
            assert sum(trial["correct"] for trial in asked) == 3
            assert {(trial["way"], trial["correct"]) for trial in asked} == {
                (way, y) for way in WAYS for y in (0, 1)
            }
        assert design.of("a") == design.of("a") != design.of("b")

    def test_over_people_every_way_of_a_question_is_as_likely(self, design):
        seen = Counter((t["question_id"], t["way"]) for at in range(200) for t in design.of(str(at)))
        counts = np.array([seen[(f"q{q}", way)] for q in range(20) for way in WAYS])
        assert stats.chisquare(counts).pvalue > 1e-4

    def test_few_wrong_answers_are_made_up_for(self):
        table = texts().query("correct == 1 or question_id == 'q0'")
        asked = Design(table, WAYS, 6, 1).of("a")
        assert sum(1 - trial["correct"] for trial in asked) == 1

    @pytest.mark.parametrize(
        ("ways", "trials", "message"),
        [(WAYS[:1], 6, "two ways"), (WAYS, 7, "multiple of the 3"), (WAYS, 60, "there are 20 questions")],
    )
    def test_what_cannot_be_is_refused(self, ways, trials, message):
        with pytest.raises(ValueError, match=message):
            Design(texts(), ways, trials, 1)

    def test_the_power_is_what_simulated_studies_have(self, rng):
        reduction, accepted, wrong, sd = 0.2, 0.5, 4, 0.1
        people = people_needed(reduction, accepted, wrong=wrong, sd=sd)
        found = 0
        for _ in range(400):
            before = np.full(people, accepted)
            after = np.clip(accepted * (1 - reduction) + sd * rng.normal(size=people), 0, 1)
            gap = (rng.binomial(wrong, before) - rng.binomial(wrong, after)) / wrong
            found += stats.ttest_1samp(gap, 0).pvalue < 0.05
        assert 0.72 < found / 400 < 0.88
        with pytest.raises(ValueError, match="reduction"):
            people_needed(0, 0.5, wrong=2, sd=0.1)


class TestPage:
    def test_ratings_are_lines_of_the_file_and_a_restart_goes_on(self, design, tmp_path):
        path = tmp_path / "ratings.jsonl"
        client = TestClient(make_app(design, path))
        for place in range(5):
            assert rate(client, place).status_code == 303
        found = ratings.read(path)
        assert found["trial"].tolist() == list(range(5))
        assert found["text"].tolist() == [trial["text"] for trial in design.of(PERSON)[:5]]
        again = TestClient(make_app(design, path))
        assert "6 of 6" in again.get(f"/{PERSON}").text
        rate(again, 5)
        rate(again, 5)  # a second click
        assert "That was all" in again.get(f"/{PERSON}").text
        assert len(ratings.read(path)) == 6

    def test_what_was_made_for_tests_enters_nothing(self, design, tmp_path):
        path = tmp_path / "ratings.jsonl"
        rate(TestClient(make_app(design, path, purpose="test")))
        assert ratings.read(path).empty
        assert len(ratings.read(path, "test")) == 1

    @pytest.mark.parametrize(
        "said", [{"before": "101"}, {"sounds": ""}, {"after": "-1"}, {"accepted": "maybe"}]
    )
    def test_what_is_no_rating_is_refused_and_nothing_is_written(self, design, tmp_path, said):
        path = tmp_path / "ratings.jsonl"
        assert rate(TestClient(make_app(design, path)), **said).status_code == 400
        assert not path.exists()

    def test_other_pages_other_people_and_long_forms_are_refused(self, design, tmp_path):
        client = TestClient(make_app(design, tmp_path / "r.jsonl"))
        assert client.get("/../etc").status_code == 404
        assert rate(client, 6).status_code == 404
        assert rate(client, before="4" * 2000).status_code == 413
        forged = client.post(f"/{PERSON}/0/rating", data={}, headers={"Origin": "https://elsewhere.example"})
        assert forged.status_code == 403

    def test_no_page_tells_whether_an_answer_is_right_or_how_it_was_said(self, design, tmp_path):
        client = TestClient(make_app(design, tmp_path / "r.jsonl"))
        told = client.get(f"/{PERSON}").text
        assert "correct" not in told.replace("font-variant", "")
        assert design.of(PERSON)[0]["way"] + ":" not in told  # the words come after the belief before them

    def test_what_an_answer_is_judged_by_is_there_before_and_after(self, design, tmp_path):
        client = TestClient(make_app(design, tmp_path / "r.jsonl"))
        for place, trial in enumerate(design.of(PERSON)):
            shown = client.post(f"/{PERSON}/{place}/before", data={"before": "40"}).text
            assert ("Background: It says" in shown) == bool(trial["context"])
            assert ("One of: " in shown) == bool(trial["choices"])
        told = client.get(f"/{PERSON}").text
        assert "Background: It says" in told or "One of: " in told

    def test_a_text_may_hold_any_end_of_line(self, tmp_path):
        rating = ratings.Rating(
            **dict.fromkeys(("person", "question_id", "way", "at"), "a"),
            **dict.fromkeys(("trial", "before", "sounds", "after", "read", "correct"), 1),
            purpose="study",
            text="Oslo.\u2028So\x0cit is.",
            accepted=True,
        )
        assert ratings.read(tmp_path / "r.jsonl").empty
        (tmp_path / "r.jsonl").touch()
        assert ratings.read(tmp_path / "r.jsonl").empty
        ratings.append(rating, tmp_path / "r.jsonl")
        assert ratings.read(tmp_path / "r.jsonl")["text"].tolist() == [rating.text]

    def test_a_broken_line_is_named(self, tmp_path):
        path = tmp_path / "r.jsonl"
        path.write_text('{"purpose": "study"}\n')
        with pytest.raises(ValueError, match=r"r\.jsonl, line 1: person: Field required"):
            ratings.read(path)


def test_ratings_go_into_the_reliance_model_and_the_readings(rng):
    before, sounds = rng.integers(10, 91, size=(2, 300))
    after = np.clip((0.7 * before + 0.3 * sounds).round(), 0, 100).astype(int)
    said = pd.DataFrame(
        {"before": before, "sounds": sounds, "after": after, "text": ["a", "b"] * 150, "read": 0.5}
    )
    fitted = ratings.reliance_of(said)
    assert fitted.prior > 2 * fitted.shown > 0
    read = ratings.readings_of(said).set_index("text")
    assert read.loc["a", "n"] == 150
    assert read.loc["a", "mean"] == pytest.approx(sounds[::2].mean() / 100)


def test_ratings_are_an_audience_of_the_reader_in_the_loop(tmp_path):
    from ralc.readers import CueReader

    path, said = tmp_path / "r.jsonl", {"It is probably Oslo.": 30, "It is Oslo.": 90}
    about = {
        "purpose": "study",
        "person": PERSON,
        "way": "ralc",
        "question_id": "q",
        "correct": 1,
        "at": "now",
    }
    about |= {"before": 50, "accepted": True, "after": 50}
    usual = CueReader.load()
    for trial in range(40):
        text = list(said)[trial % 2]
        read = float(usual.read([text]).mean[0])
        rating = {"trial": trial, "text": text, "read": read, "sounds": said[text] + trial % 3}
        ratings.append(ratings.Rating(**about, **rating), path)
    theirs = CueReader.load(audience={"ratings": str(path)})
    lower, same = theirs.read(list(said)).mean, usual.read(list(said)).mean
    assert lower[0] < same[0] - 0.2
    assert lower[1] == pytest.approx(same[1], abs=0.06)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:5]))
    with pytest.raises(ValueError, match="has 5 ratings of 2 texts: 20 of 2 or more are needed"):
        CueReader.load(audience={"ratings": str(path)})


@pytest.mark.long
def test_the_texts_of_a_run(tmp_path, questions, items):
    from ralc import io

    (tmp_path / "questions").mkdir()
    for name, own in questions.groupby("dataset"):
        io.write_table(own, tmp_path / f"questions/{name}.parquet", "questions")
    io.write_table(items, tmp_path / "items.parquet", "items")
    (tmp_path / "lexicon").mkdir()
    io.write_table(make_lexicon(), tmp_path / "lexicon/lexicon.parquet", "lexicon")
    found = materials.of_run(tmp_path)
    assert found.groupby("question_id")["way"].nunique().eq(3).all()
    assert set(found["way"]) == set(WAYS)
    plain_words = found[found["way"] == "original"]
    assert set(plain_words["answer"]) == set(found["answer"])
    asked = questions.set_index("question_id").loc[found["question_id"]]
    assert found["context"].tolist() == asked["context"].fillna("").tolist()
    with pytest.raises(ValueError, match="no target 'x'"):
        materials.of_run(tmp_path, "x")
    with pytest.raises(ValueError, match="holds no run"):
        materials.of_run(tmp_path / "questions")
    # The same answers as sentences of one, a second behind each, and one of which a half is right.
    more = [items.assign(sentence=1), items.assign(sentence=2, outcome=0.5)]
    shared = "I think that the rest is right."
    more[0].loc[more[0]["method"] == "ralc", "shared"] = shared
    io.write_table(pd.concat([items, *more]), tmp_path / "items.parquet", "items")
    long = materials.of_run(tmp_path).set_index(["question_id", "way"])["text"]
    for row in found.itertuples():
        behind = f"{shared} {row.text}" if row.way == "ralc" else row.text
        assert long[f"{row.question_id}/0", row.way] == row.text
        assert long[f"{row.question_id}/1", row.way] == behind
    assert len(long) == 2 * len(found)


@pytest.mark.skipif(
    browser.MISSING is not None, reason=f"{browser.MISSING} is not there: apt-get install chromium"
)
def test_a_person_rates_in_a_browser_and_goes_on_by_phone(design, tmp_path):
    path = tmp_path / "ratings.jsonl"
    with running(make_app(design, path, purpose="test")) as address, browser.browser() as seen:
        for place in range(6):
            width = 1280 if place < 3 else 390
            if place in (0, 3):
                seen.open(f"{address}/{PERSON}", width=width)
            seen.wait("return document.activeElement.id === 'before'")
            # Nothing goes on without an answer.
            assert not seen.run("return document.forms[0].checkValidity()")
            assert seen.run("return document.documentElement.scrollWidth") <= width
            seen.type("40\ue007")  # and the key Enter
            seen.wait("return document.querySelector('blockquote') !== null")
            assert NASTY[:8] in seen.run("return document.querySelector('blockquote').textContent")
            # By keys alone: a number, Tab, the first choice by Space, Tab, a number, Enter.
            seen.type("70\ue004 \ue00455\ue007")
            seen.wait("return document.querySelector('blockquote') === null")
        assert "That was all" in seen.run("return document.body.textContent")
        assert seen.complaints() == []
        loaded = seen.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
        assert all(name.startswith(address) for name in loaded)
    found = ratings.read(path, "test")
    assert found[["before", "sounds", "after"]].drop_duplicates().to_numpy().tolist() == [[40, 70, 55]]
    assert len(found) == 6
    assert found["accepted"].all()
