"""Rewriting tasks to requests and back, with made-up replies; the embedded model in the tests marked so."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ralc.calibrator.vocabulary import built_in_lexicon
from ralc.english.places import denies
from ralc.llm import complete_table, from_table
from ralc.preservation import overlap
from ralc.rewriting import choose, list_candidates, passes, render_rewrites
from ralc.rewriting.bare import Bare
from ralc.rewriting.guided import all_places, template
from ralc.rewriting.replies import clean_reply, free_text
from ralc.rewriting.statements import carries
from tests.rewriting import FRAMES, LISTED, MODEL, candidates, rewritten, task

UNCLEAR = "a hedge may belong to what it says"


def test_every_place_of_every_hedge_is_a_candidate_the_plainest_first():
    assert candidates([task("a")])["text"].tolist() == [
        "The capital is probably Paris.",
        "The capital is perhaps Paris.",
        "Perhaps the capital is Paris.",
    ]


def test_every_hedge_of_the_lexicon_has_a_place_that_carries_it():
    for row in LISTED.itertuples():
        for text in ("The capital of France is Paris.", "Paris", "Tom went home. He slept."):
            for place in all_places(text, [row.expression], [row.frame]):
                assert carries(place.text, row.expression)
                assert place.text.endswith(".")


def test_the_candidate_that_reads_nearest_to_the_target_is_taken():
    out = rewritten([task("low", mean=0.4), task("high", mean=0.75)])
    assert out["hedge"].tolist() == ["perhaps", "probably"]
    assert out["origin"].tolist() == ["grammar", "grammar"]


def test_near_candidates_are_drawn_so_that_texts_vary_and_a_seed_repeats_them():
    tasks = [task(f"t{number}", mean=0.4) for number in range(40)]
    out = rewritten(tasks)
    assert set(out["text"]) == {"The capital is perhaps Paris.", "Perhaps the capital is Paris."}
    assert out.equals(rewritten(tasks))
    # A task's draw is its own, whatever stands beside it.
    assert rewritten(tasks[7:8]).loc["t7", "text"] == out.loc["t7", "text"]


def test_without_readings_the_first_candidate_is_taken():
    found = candidates([task("a")])
    unread = pd.DataFrame({"text": found["text"], "alpha": np.nan, "beta": np.nan})
    out = choose(pd.DataFrame([task("a")]), found, unread, seed=1)
    assert out["text"].tolist() == ["The capital is probably Paris."]
    with pytest.raises(ValueError, match="was not read"):
        choose(pd.DataFrame([task("a")]), found, unread[1:], seed=1)
    with pytest.raises(ValueError, match="task 'a' has no candidate"):
        choose(pd.DataFrame([task("a")]), found[:0], unread, seed=1)


def test_an_open_loop_takes_the_nearest_hedge_unread():
    opened = task("a", mean=0.4) | {"loop": "open"}
    assert candidates([opened])["text"].tolist() == ["The capital is probably Paris."]
    requests = render_rewrites(pd.DataFrame([opened]), method="llm", model=MODEL, seed=1)
    assert requests["n"].tolist() == [1]


def test_an_open_loop_takes_the_nearest_hedge_even_if_it_quotes():
    opened = task("a", text="Erbil is large.", mean=0.4) | {
        "loop": "open",
        "hedges": ["I think", "perhaps"],
        "frames": ["clause", "adverb"],
        "hedge_alpha": [2.0, 2.0],
        "hedge_beta": [2.0, 2.0],
    }
    assert candidates([opened])["text"].tolist() == ['I think that the answer is "Erbil is large".']
    assert candidates([opened | {"loop": "closed"}])["text"].tolist() == ["Erbil is perhaps large."]


@pytest.mark.parametrize(
    ("answer", "hedges", "expected"),
    [
        ("Erbil is large.", {"I think": "clause", "perhaps": "adverb"}, ["Erbil is perhaps large."]),
        ("No, it is Rome.", {"I doubt": "clause", "I suppose": "opener"}, ["No, I suppose, it is Rome."]),
        (
            'Erbil is large. "Erbil is large" is what they say.',
            {"I think": "clause", "perhaps": "adverb"},
            ['Erbil is perhaps large. "Erbil is large" is what they say.'],
        ),
        ("Erbil is large.", {"I think": "clause"}, ['I think that the answer is "Erbil is large".']),
    ],
)
def test_a_sentence_is_quoted_only_where_no_hedge_takes_it_as_it_is(answer, hedges, expected):
    found = all_places(answer, list(hedges), list(hedges.values()))
    assert [place.text for place in found] == expected


def test_what_denies_is_never_taken_off_so_that_the_answer_is_affirmed():
    """ "The chances are low that it is Paris." became "There is a very good chance that it is Paris."."""
    usable = built_in_lexicon().usable().table
    bare = Bare(dict(zip(usable["expression"], usable["frame"], strict=True)))
    low = usable[usable["expression"].map(denies) & (usable["frame"] == "clause")]
    assert len(low) > 20
    for hedge, frame in zip(low["expression"], low["frame"], strict=True):
        answer = template("It is Paris.", hedge, frame).text
        assert passes(answer) == "it doubts what it names", answer
        assert bare(answer) == answer


def test_an_answer_that_passes_is_left_as_it_is_and_nobody_is_asked():
    for method in ("guided", "llm"):
        passing = task("a", text="I don't know.") | {"passes": passes("I don't know.")}
        requests = render_rewrites(pd.DataFrame([passing]), method=method, model=MODEL, seed=1)
        assert requests.empty
        out = rewritten([passing, task("b")], method="guided")
        assert out.loc["a"].tolist()[:2] == ["I don't know.", "passed"]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Paris.", ""),
        ("The answer is Paris.", ""),
        ("The background might not know where it is.", "it abstains"),
        ("The answer does not specify how many people live there.", "it abstains"),
        ("The capital is not Paris.", ""),
        ("", "it is empty"),
        ("N/A", "it is no answer"),
        ("Which one?", "it is a question"),
        ("A", ""),
        ("(a)", ""),
        ("Na", ""),
        ("I doubt it is Paris.", "it doubts what it names"),
        ("It's very unlikely that it is Paris.", "it doubts what it names"),
        ("I don't think it's open.", "it doubts what it names"),
        ("We do not really believe that it is open.", "it doubts what it names"),
        ("It is not certain that it is Paris.", "it doubts what it names"),
        ("It isn't very likely to be Paris.", "it doubts what it names"),
        ("It is not possible to see it.", ""),
        ("It is impossible to square the circle.", ""),
        ("I never doubt that it is Paris.", ""),
        ("It is impossible to know.", "it abstains"),
        ("Sorry, I can't assist with that request.", "it refuses"),
        ("Unfortunately, I'm unable to help.", "it refuses"),
        ("As an AI, I cannot provide medical advice.", "it refuses"),
        ("I can't swim.", ""),
        ("I can't help but think it is Rome.", ""),
        ("We cannot share power.", ""),
        ("I apologize, but I cannot fulfill this request.", "it refuses"),
        ("Sure! I'm afraid I can't help with that.", "it refuses"),
        ("I'm sorry, but I can't share personal information.", "it refuses"),
        ("I cannot share any details.", "it refuses"),
        ("Restart it. Clear the cache. If you can't tell which version it is, open the settings.", ""),
        ("It is a river in France. I don't know its length. It flows north.", "it abstains"),
        ("I'm sorry, but I can't give the date, but it was 1912.", ""),
        ("I'm sorry, but we can't ship to Norway.", ""),
        ("I'm afraid I cannot agree: the capital is Rome.", ""),
        ("I'm sorry, but I can't be sure; it is Paris.", ""),
        ("Sorry, I won't lie. It's Rome.", ""),
        ("Sorry, I cannot be more precise: 1912.", ""),
        (
            "The question asks for the capital. The background talks of trade. It does not say what the capital is.",
            "it abstains",
        ),
        ("Hmm. Let me think. I don't know.", "it abstains"),
        ("You ask for the capital of Chad. That is a good question. I'm sorry, I don't know.", "it abstains"),
        ("I don't know if you mean Paris.", "it abstains"),
        ("When it was built is not known.", "it abstains"),
        ("Restart it. When the label does not say which it is, ask the shop.", ""),
        ("Open the settings if you can't tell which version it is.", ""),
        ("Hmm, I doubt that it is Paris.", "it doubts what it names"),
        ("Sure! The answer is:", "it is no answer"),
        ("Alright, Still", ""),
        ("I'm sorry, it is Lima.", ""),
        ("<think>Lima?</think> It is Lima.", "it reasons aloud"),
    ],
)
def test_why_answers_pass(answer, why):
    assert passes(answer) == why


def test_tasks_come_back_in_their_order_and_a_model_is_asked_for_free_texts_alone():
    tasks = [task("z"), task("d", method="direct_beta"), task("a", text="Rome"), task("b")]
    requests = render_rewrites(pd.DataFrame(tasks), method="guided", model=MODEL, seed=1)
    assert requests["task"].tolist() == ["d"]
    out = rewritten(tasks, {"d": ["It may be Paris."]})
    assert out.index.tolist() == ["z", "d", "a", "b"]
    assert out.loc["d"].tolist()[:2] == ["It may be Paris.", "model"]
    assert pd.isna(out.loc["d", "hedge"])


def test_requests_depend_on_the_seed():
    frame = pd.DataFrame([task("a", method="direct_beta")])
    one, two = (from_table(render_rewrites(frame, method="guided", model=MODEL, seed=s))[0] for s in (1, 2))
    assert one.seed != two.seed


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "  ...",
        "Here is a version with hedging language:",
        "Beta(alpha=2.0, beta=1.0) it is",
        "The capital is Paris, 99 % confident on average.",
    ],
)
def test_an_unusable_direct_rewrite_leaves_the_original(reply):
    out = rewritten([task("a", method="direct_beta")], {"a": [reply]})
    assert out.loc["a"].tolist()[:2] == ["The capital is Paris.", "none"]


def test_a_direct_rewrite_that_was_cut_keeps_its_whole_sentences():
    tasks = [task("a", method="direct_beta")]
    out = rewritten(tasks, {"a": ["It may be Paris. The city of"]}, reason="length")
    assert out.loc["a", "text"] == "It may be Paris."
    assert rewritten(tasks, {"a": ["It may be"]}, reason="length").loc["a", "origin"] == "none"


def test_the_papers_prompt_lists_the_hedges_nearest_first():
    request = from_table(render_rewrites(pd.DataFrame([task("a")]), method="llm", model=MODEL, seed=1))[0]
    assert "probably: Beta(alpha=7.00, beta=3.00)\nperhaps: Beta(alpha=7.00" in request.messages[0]["content"]
    assert 'My answer to the question is: "The capital is Paris."' in request.messages[0]["content"]
    direct = from_table(
        render_rewrites(pd.DataFrame([task("a", method="direct_beta")]), method="llm", model=MODEL, seed=1)
    )
    assert "Beta(alpha=7.00, beta=3.00)" in direct[0].messages[0]["content"]


def test_an_llm_writes_several_drafts_and_the_nearest_is_taken():
    drafts = ['New response: "It is\nperhaps Paris."', "It is definitely Paris.", "It is perhaps Paris.", ""]
    requests = render_rewrites(pd.DataFrame([task("a")]), method="llm", model=MODEL, seed=1)
    assert requests["n"].tolist() == [len(drafts)]
    out = rewritten([task("a", mean=0.45), task("b", text="Rome")], {"a": drafts}, method="llm")
    assert out.loc["a"].tolist()[:2] == ["It is perhaps Paris.", "model"]
    assert out.loc["b"].tolist() == ["It is probably Rome.", "template", "probably"]


def test_a_text_of_a_model_that_claims_something_else_is_no_candidate():
    turned, added = "Perhaps the capital is not Paris.", "It is perhaps Paris, home of 2 million people."
    kept = "Perhaps the capital is Paris."
    tasks = [task("a"), task("b", text="The capital is Lyon."), task("c") | {"loop": "open"}]
    said = {"a": [turned, added, kept], "b": [turned], "c": [turned]}
    out = rewritten(tasks, said, method="llm")
    assert out.loc["a"].tolist()[:2] == [kept, "model"]
    assert out.loc["b", "origin"] == "template"
    assert out.loc["c"].tolist()[:2] == [turned, "model"]


def test_faults_are_named():
    frame = pd.DataFrame([task("a"), task("b", hedges=())])
    with pytest.raises(ValueError, match=r"task 'b' \(row 1\): .*0 hedges"):
        list_candidates(frame, None, None, method="guided")
    with pytest.raises(ValueError, match=r"task 'b' \(row 1\): .*0 hedges"):
        render_rewrites(frame, method="llm", model=MODEL, seed=1)
    with pytest.raises(ValueError, match="'free' is not one of guided, llm"):
        render_rewrites(frame, method="free", model=MODEL, seed=1)
    with pytest.raises(ValueError, match=r"task 'a' \(row 0\): no request"):
        list_candidates(frame[:1], None, None, method="llm")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("I think that the capital is probably Paris.", "The capital is Paris."),
        ("I'm not sure, but it is Paris.", "It is Paris."),
        ("It's possible that it is Paris.", "It is Paris."),
        ("Paris, probably.", "Paris."),
        ("It is possible to see it from space.", "It is possible to see it from space."),
        ("I doubt that it is Paris.", "I doubt that it is Paris."),
        ("I don't know.", "I don't know."),
        ("It is Paris. I think that's correct.", "It is Paris."),
        ("It is Paris. I hope this helps!", "It is Paris."),
        ("It is Paris. I think of Rome, too.", "It is Paris. I think of Rome, too."),
        ("Perhaps", "Perhaps"),
        ("I am sure it is Paris.", "It is Paris."),
        ("I'm pretty sure it's Paris.", "It's Paris."),
        ("The answer, I think, is Canberra.", "The answer is Canberra."),
        ("I reckon Paris.", "Paris."),
        ("I'd say about 40 km.", "About 40 km."),
        ("We believe the file is corrupted.", "The file is corrupted."),
        ("We're fairly confident that it is Paris.", "It is Paris."),
        ("I’m 90% sure the capital is Paris.", "The capital is Paris."),
        ("I know it's Paris.", "It's Paris."),
        ("I know Paris well.", "I know Paris well."),
        ("I know a man who is from Paris.", "I know a man who is from Paris."),
        ("I believe in Paris.", "I believe in Paris."),
        ("I'm not sure it is Paris.", "I'm not sure it is Paris."),
        ("There's a 90 % chance that it is Paris.", "It is Paris."),
        ("There is a chance of rain.", "There is a chance of rain."),
        ("It is most likely Paris.", "It is Paris."),
        ("It is likely to rain.", "It is likely to rain."),
        ("There are likely many planets.", "There are many planets."),
        ("It is without a doubt Paris.", "It is Paris."),
        ("It is Paris, I think.", "It is Paris."),
        ("It is Paris, I'm quite certain!", "It is Paris!"),
        ("Paris (90% confident)", "Paris"),
        ("Big Bird (probably)", "Big Bird"),
        ("Garlic (highly unlikely).", "Garlic."),
        ("The Texas Chain Saw Massacre (1974)", "The Texas Chain Saw Massacre (1974)"),
        ("Paris\nConfidence: 85%", "Paris"),
        ("It is Paris. Confidence: 85%", "It is Paris."),
        ("It is almost certainly Paris.", "It is Paris."),
        ("It's quite probably Paris.", "It's Paris."),
        ("It is, perhaps, Paris.", "It is Paris."),
        ("It is probably possibly Paris.", "It is Paris."),
        ("It probably is Paris.", "It is Paris."),
        ("It is probably not Paris.", "It is not Paris."),
        ("It will likely rain.", "It will rain."),
        ("Bruce likely took part.", "Bruce took part."),
        ("It is likely that it rains.", "It rains."),
        ("It was likely built in 1912.", "It was built in 1912."),
        ("It could potentially be Paris.", "It could be Paris."),
        ("It was, unequivocally, Paris.", "It was Paris."),
        ("It was most probably Paris.", "It was Paris."),
        ("Undoubtedly, the town dates back to 1586.", "The town dates back to 1586."),
        ("I believe Father Tom sings it.", "Father Tom sings it."),
        ("It is Paris, though I could be wrong.", "It is Paris."),
        ("It is perhaps Paris, but I'm not certain.", "It is Paris."),
        ("I'd say with some certainty that it is Paris.", "It is Paris."),
        ("I'm very uncertain, but it possibly lasts an hour.", "It lasts an hour."),
        ("I could be wrong, but I think it's likely that it is Paris.", "It is Paris."),
        ("It is clearly Paris.", "It is Paris."),
        ("Clearly the capital is Paris.", "The capital is Paris."),
        ("Perhaps zebras eat grass.", "Zebras eat grass."),
        ("Probably zebras eat grass.", "Zebras eat grass."),
        ("Obviously Paris is the capital.", "Paris is the capital."),
        ("No, I think that it's probably Rome.", "No, it's Rome."),
        ("Answer: probably Paris", "Answer: Paris"),
        ("I think Paris.", "Paris."),
        ("We think Paris.", "Paris."),
        ("We believe in Paris.", "We believe in Paris."),
        ("The capital is Paris – probably.", "The capital is Paris."),
        ("The capital is Paris — perhaps", "The capital is Paris"),
        ("The capital is Paris - probably.", "The capital is Paris."),
        ("Paris – probably", "Paris"),
        ("It seems to be Rome.", "It is Rome."),
        ("The capital appears to be the old town.", "The capital is the old town."),
        ("It is very likely to be Paris.", "It is Paris."),
        ("It’s likely to be Paris.", "It’s Paris."),
        ("They seem to be Romans.", "They are Romans."),
        ("Possibly the Rhine", "The Rhine"),
        ("perhaps a river", "A river"),
        ("I'd say perhaps 17 May 1909.", "17 May 1909."),
        ("Paris possibly", "Paris"),
        ("Yes, definitely", "Yes"),
        ("Paris is possibly the capital, and probably old.", "Paris is the capital, and probably old."),
        (
            "It is definitely Paris. It probably lies on the Seine.",
            "It is Paris. It probably lies on the Seine.",
        ),
    ],
)
def test_a_hedged_answer_is_not_hedged_twice(answer, expected):
    assert Bare(FRAMES)(answer) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "The level of confidence: 85%",
        "I am far from certain that it is Paris.",
        "I wrongly believe it is Lyon.",
        "I am 5% sure that it is Paris.",
        "It is Paris (nobody is certain).",
        "It is Paris. Confidence: 5%",
        "He was jailed for certain crimes.",
        "Rousseau said it of a princess, possibly Maria Theresa of Spain.",
        "There is no doubt.",
        "The claim was proved beyond a doubt.",
        "Rain is most likely in the north.",
        "They are likely voters.",
        "Blood type is O (Rh positive).",
        "I Know a Place was sung by Petula Clark.",
        "We say grace before the meal is served.",
        "It is as far as I know.",
        "They banned it for its probably obscene contents.",
        "Probably not, because nobody asked.",
        "potentially dangerous",
        "The dog is potentially dangerous.",
        "an apparently random walk",
        "It is clearly visible.",
        "It is not probably Paris.",
        "It couldn't possibly be Paris.",
        "could not possibly exist",
        "They use a drug even though they obviously shouldn't.",
        "It is bad because it will probably rain.",
        "He said that it is probably Paris.",
        "cultural and perhaps political unification",
        "It maybe proved to be Paris.",
        "Probably the Best Lager",
        "Definitely Maybe",
        "Surely You're Joking, Mr. Feynman!",
        "Possibly dangerous dogs are muzzled.",
        'The song "It is Probably Love" is old.',
        '"It is probably Paris," he said.',
        "It is improbably tall.",
        "Both are equally likely",
        "I may have broken some laws, but I am innocent.",
        "It is Paris, but I broke the law.",
        "I think of Paris.",
        "I think about Paris.",
        '"The answer, I think, is Canberra," he said.',
        "Possibly, but the evidence is thin.",
        "a drug that probably caused death",
        "It is likely to be built.",
        "It seems to be raining.",
        "The object that appears to be Mars is red.",
        "He was allegedly killed.",
        "It is said that a carp becomes a dragon.",
        "There is strong evidence that it lowers the risk.",
        "We are 95% confident that the mean is between 3 and 4.",
    ],
)
def test_what_is_no_hedge_of_the_answer_stays(answer):
    assert Bare(FRAMES)(answer) == answer


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("It is probably Paris.", ""),
        ("Probably Paris", ""),
        ("Probably the Best Lager", UNCLEAR),
        ("It is not probably Paris.", UNCLEAR),
        ("Possibly dangerous dogs are muzzled.", UNCLEAR),
        ("He was allegedly killed.", UNCLEAR),
        ("an apparently random walk", ""),
        ("potentially dangerous", ""),
        ("could not possibly exist", ""),
        ("Definitely", UNCLEAR),
        ("It is clearly visible.", UNCLEAR),
        ("It is likely to be Paris.", ""),
        ("It seems to be Rome.", ""),
        ("The plan is likely to fail.", UNCLEAR),
        ("Mars appears to move backwards.", UNCLEAR),
        ("Paris is unlikely to be the capital.", UNCLEAR),
        ("Both are equally likely to be the winner.", ""),
        ("Those who are likely to fail are helped.", ""),
        ("more likely to fail", ""),
        ("I am absolutely sure that it is Paris.", ""),
        ("The two are equally likely", ""),
        ("It is likely that it is Paris.", ""),
        ("Possibly, but the evidence is thin.", UNCLEAR),
        ("Most probably, because the evidence is thick.", UNCLEAR),
        # sentences whose verb is not known
        ("In 1912, the ship probably sank near Newfoundland.", UNCLEAR),
        ("Because the sales fell, the company probably went bankrupt.", UNCLEAR),
        ("That is possibly true.", UNCLEAR),
        ("The name probably derives from Old Norse, possibly via French.", UNCLEAR),
        ("The museum probably opens at nine.", UNCLEAR),
    ],
)
def test_an_answer_is_not_hedged_where_its_own_hedge_can_neither_be_taken_off_nor_be_content(answer, why):
    assert passes(answer) == why


@pytest.mark.parametrize("hedge", ["probably", "perhaps"])
def test_a_possibility_is_quoted_whole_and_not_hedged_twice(hedge):
    for answer in ("The man might be upset.", "The capital may possibly be Paris."):
        text = all_places(Bare(FRAMES)(answer), [hedge], ["adverb"])[0].text
        assert text.startswith(f'The answer is {hedge} "The ') or text.startswith(
            'Perhaps the answer is "The '
        )


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Here is the rewritten sentence:\n\n**It may be Paris.**", "It may be Paris."),
        ("Rewritten sentence: “It may be Paris.”", "It may be Paris."),
        ('"Paris" may be "Paris"', '"Paris" may be "Paris"'),
        (None, None),
    ],
)
def test_replies_are_cleaned(reply, text):
    assert clean_reply(reply) == text


@given(st.text(max_size=300))
def test_any_reply_is_a_line_of_text_or_nothing(reply):
    text = clean_reply(reply)
    assert text is None or (text == " ".join(text.split()) and any(c.isalnum() for c in text))
    assert free_text(reply, cut=True, original="x")[1] in ("model", "none")


@given(st.text(max_size=120))
def test_any_answer_has_a_template(answer):
    place = template(answer, "I am sure", "clause")
    assert place.hedge == "I am sure"
    assert "am sure that" in place.text


def test_guided_rewrites_keep_every_word():
    texts = ["The capital of France is Paris.", "B", "Tom went to the kitchen."]
    out = rewritten([task(f"t{i}", text=text, mean=0.4) for i, text in enumerate(texts)])
    assert overlap(texts, out["text"].tolist(), LISTED["expression"]).tolist() == [1.0] * 3


@pytest.mark.long
@pytest.mark.model
@pytest.mark.parametrize("method", ["guided", "llm"])
def test_free_rewriting_survives_what_a_small_model_says(tmp_path, method):
    tasks = pd.DataFrame([task("a", method="direct_beta"), task("b", method="direct_beta", text="Rome")])
    requests = render_rewrites(tasks, method=method, model=MODEL, seed=1)
    answers = complete_table(requests, MODEL, tmp_path / "journal.jsonl")
    out = list_candidates(tasks, requests, answers, method=method)
    assert out["text"].str.len().gt(0).all()
    assert out["origin"].isin(["model", "none"]).all()


def test_an_answer_loses_the_hedges_of_the_runs_own_lexicon():
    own = {"by my lights": "opener"}
    assert Bare(own)("By my lights, it is Paris.") == "It is Paris."
    assert Bare(own)("To my knowledge, it is Paris.") == "To my knowledge, it is Paris."
    assert Bare({})("Perhaps it is Paris.") == "Perhaps it is Paris."
