"""Turns of a conversation: who doubts, who only vouches, and which confidence a claim keeps."""

import tracemalloc

import pytest
from starlette.responses import JSONResponse

from ralc import Beta, evaluators
from ralc.calibrator.default_lexicon import built_in_lexicon
from ralc.english import is_pushback, without_vouching
from ralc.rewriting import Rewriter
from ralc.serve.conversation import Claim, Conversation, Memory, Said, Turn, same_claim
from tests.cases import cases
from tests.serving import Stub, ask, calibrator, served

DOUBTS = [
    "Are you sure?", "are you absolutely certain about that", "Really?", "Hmm, I don't think so.",
    "That's wrong.", "No, it's Kaunas.", "But I read that it is Kaunas.", "Is that right?", "I think it is Kaunas.",
    "Please double-check.", "Isn't it Kaunas?", "You're mistaken.", "I’m not convinced.", "That doesn't sound right.",
]  # fmt: skip
NO_DOUBTS = [
    "And what is its currency?", "Thanks!", "No problem.", "Tell me more.", "I think I will go there.", "Yes.",
    "I don't think that is right. What is its population?", "How sure can one be of that?", "Check the weather.",
    "That is great.", "It is raining here, what should I wear?", "No worries, and who was its first mayor?",
]  # fmt: skip
FIRST, LATER = Beta(6.0, 4.0), Beta(9.0, 1.0)
ASKED = "What is the capital of Lithuania?"


@pytest.mark.parametrize("text", DOUBTS)
def test_who_doubts_pushes_back(text):
    assert is_pushback(text)


@pytest.mark.parametrize("text", NO_DOUBTS)
def test_who_asks_more_or_thanks_does_not(text):
    assert not is_pushback(text)


@cases
def test_what_only_vouches_is_no_claim(text, left):
    assert without_vouching(text, "Are you sure?", ASKED) == left


@pytest.mark.parametrize("doubt", ["No, it's Kaunas.", "Isn't it Kaunas?", "isn't it kaunas?"])
def test_who_gives_way_does_not_vouch(doubt):
    assert without_vouching("Yes, you are right.", doubt, ASKED) == "Yes, you are right."


def said(text: str = "It is Vilnius.") -> Said:
    """The first reply."""
    return Said(ASKED, text, (Claim(text, FIRST),), text)


@pytest.mark.parametrize(
    ("question", "text", "kind", "words", "confidence"),
    [
        (ASKED, "Vilnius.", Turn.AGAIN, "Vilnius.", FIRST),
        (ASKED, "It is Kaunas.", Turn.REVERSAL, "It is Kaunas.", FIRST),
        ("Are you sure?", "Yes, I am sure.", Turn.AGAIN, "It is Vilnius.", FIRST),
        ("Are you sure?", "Yes, I have checked the capital Vilnius.", Turn.AGAIN, "It is Vilnius.", FIRST),
        ("Are you sure?", "Yes. The capital is Vilnius.", Turn.AGAIN, "The capital is Vilnius.", FIRST),
        ("Are you sure?", "Yes, I am. Let me know if you need more!", Turn.AGAIN, "It is Vilnius.", FIRST),
        ("No, it's Kaunas.", "Sorry, it is Kaunas.", Turn.REVERSAL, "Sorry, it is Kaunas.", FIRST),
        ("And its currency?", "It is the euro.", Turn.NEW, "It is the euro.", LATER),
        ("And its currency?", "Vilnius uses the euro.", Turn.NEW, "Vilnius uses the euro.", LATER),
    ],
)
def test_a_claim_made_again_keeps_its_first_confidence(question, text, kind, words, confidence):
    before = Conversation(question, ((ASKED, "It is probably Vilnius.", said()),))
    turn, made = before.place(text, [Claim(text, LATER)])
    assert turn is kind
    assert made.text == words
    assert made.came == text
    assert [claim.confidence for claim in made.claims] == [confidence]


def test_a_claim_that_takes_no_words_is_vouched_for_in_others():
    before = Conversation("Are you sure?", (("What is the formula?", "$H_2$", said("$H_2$")),))
    _, made = before.place("Yes, I am sure.", [Claim("Yes, I am sure.", LATER)])
    assert made.text == "My answer is right."
    assert made.claims == (Claim("$H_2$", FIRST),)
    rewriter = Rewriter(built_in_lexicon(), evaluators.load("cue_model"))
    (rewrite,) = rewriter.rewrite([made.text], [FIRST], questions=[made.question])
    assert rewrite.calibrated


def test_what_vouches_for_a_lone_claim_goes():
    before = Conversation("Are you sure?", ((ASKED, "It is Vilnius.", said()),))
    reply = "I realize that it is Vilnius."
    assert before.place(reply, [Claim(reply, LATER)])[1].text == "It is Vilnius."


def test_each_claim_of_a_long_reply_is_carried_by_itself():
    before = Conversation("Tell me more.", ((ASKED, "It is Vilnius.", said()),))
    claims = [Claim("It is Vilnius.", LATER), Claim("It lies on the Neris.", LATER)]
    turn, made = before.place("It is Vilnius. It lies on the Neris.", claims)
    assert turn is Turn.AGAIN
    assert [claim.confidence for claim in made.claims] == [FIRST, LATER]


def test_what_is_so_on_a_condition_is_no_claim_said_again():
    asked = "Is the third statement true?"
    assert same_claim("Thus, the third statement is false.", "The third statement is false.", asked)
    assert not same_claim(
        "Thus, the third statement is false.", "If so, the third statement is false.", asked
    )


def test_what_the_user_told_before_has_no_confidence():
    before = Conversation("How many aunts has he?", (("Bo has three aunts. Who is he?", "A boy.", None),))
    claims = [Claim("Bo has three aunts.", LATER), Claim("He lives in Oslo.", LATER)]
    _, made = before.place("Bo has three aunts. He lives in Oslo.", claims)
    assert [claim.confidence for claim in made.claims] == [None, LATER]


@pytest.mark.parametrize("order", ["Write a story about Bo.", "Tell me about Bo."])
def test_writing_that_goes_on_is_an_answer_to_its_order(order):
    between = ("Make it shorter.", "Bo ran.", None)
    before = Conversation("Do the same again in verse.", (between, (order, "Bo went.", None)))
    _, made = before.place("Bo ran on.", [Claim("Bo ran on.", LATER)])
    assert (made.question == order) == order.startswith("Write")


def test_what_an_unknown_reply_said_has_no_confidence():
    before = Conversation("Are you sure?", ((ASKED, "It is Vilnius.", None),))
    assert before.place("Yes.", [Claim("Yes.", LATER)])[0] is Turn.UNKNOWN
    other = Conversation("And its currency?", before.earlier)
    assert other.place("It is the euro.", [Claim("It is the euro.", LATER)])[0] is Turn.NEW


def test_the_memory_is_bounded_and_one_caller_never_sees_another_s():
    ann, bob = [(b"Authorization", b"ann")], [(b"authorization", b"bob")]
    memory = Memory(largest=50 * said().size)
    for number in range(1_000):
        memory.keep(ann, str(number), "It is probably Vilnius.", said())
    assert len(memory) == 50
    assert memory.find(ann, "999", "It is probably Vilnius.") == said()
    assert memory.find(ann, "1", "It is probably Vilnius.") is None
    assert memory.find(bob, "999", "It is probably Vilnius.") is None
    assert memory.find(ann, "999", "It is Vilnius.") is None
    memory.keep(ann, "long", "x", said("x" * 10**6))
    assert len(memory) == 0


@pytest.mark.parametrize(
    ("text", "claims"),
    [("It is Lima.", 1), ("\U0001f600" * 500, 3), ("It is so. " * 200, 200), ("", 0)],
    ids=["short", "four bytes a character", "many claims", "nothing"],
)
def test_what_is_kept_takes_hardly_more_memory_than_is_counted(text, claims):
    most = 1_000_000
    memory, number = Memory(largest=most), 0
    tracemalloc.start()
    while len(memory) == number:  # until the first is forgotten
        number += 1
        made = tuple(
            Claim(f"{text[place :: max(claims, 1)]}{number}", Beta(6.0, 4.0)) for place in range(claims)
        )
        question, reply = f"Who is {number}?", f"{text}{number}"
        memory.keep([], question, reply, Said(question, f"{reply} ", made, f"{reply}!"))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert number > 1
    assert taken < 1.1 * most


def test_what_is_old_is_forgotten():
    memory = Memory(longest_s=-1.0)
    memory.keep([], ASKED, "It is probably Vilnius.", said())
    assert memory.find([], ASKED, "It is probably Vilnius.") is None
    assert len(memory) == 0


def test_the_upstream_sees_what_the_model_said_and_the_client_the_first_confidence():
    stub = Stub()
    opening = [{"role": "user", "content": "What is the capital of Peru?"}]
    with served(stub) as address:
        first = ask(address, {"messages": opening}).json()
        stub.answers = ["Yes, I am sure."] * 3
        heard = first["choices"][0]["message"]
        doubt = [*opening, heard, {"role": "user", "content": "Are you sure?"}]
        second = ask(address, {"messages": doubt}).json()
        altered = [opening[0], {**heard, "content": "It is surely Lima."}, doubt[-1]]
        third = ask(address, {"messages": altered}).json()
    assert heard["content"] != "It is Lima."
    assert stub.asked[1]["messages"][1]["content"] == "It is Lima."
    assert second["choices"][0]["message"]["content"] == heard["content"]
    assert second["ralc"]["turn"] == {"number": 2, "kind": "said again"}
    assert second["ralc"]["confidence"] == first["ralc"]["confidence"]
    assert third["ralc"]["calibrated"] is False
    assert "does not know" in third["ralc"]["reason"]


PERU = {"role": "user", "content": "What is the capital of Peru?"}
SURE = {"role": "user", "content": "Are you sure?"}


SAYS = {
    PERU["content"]: ["It is Lima.", "Lima.", "It is Cusco."],
    SURE["content"]: ["Yes, I am sure."] * 3,
    "And what is its currency?": ["It is the sol.", "The sol.", "It is the peso."],
}


class Talk(Stub):
    """An upstream that has an answer for each last question."""

    async def complete(self, request):
        """A completion."""
        self.answers = SAYS[(await request.json())["messages"][-1]["content"]]
        return await super().complete(request)


def talk(address, *users, opening=()):
    """The replies to what a user says in turn."""
    messages, replies = list(opening), []
    for said in users:
        messages.append({"role": "user", "content": said})
        replies.append(ask(address, {"messages": messages}).json())
        messages.append(replies[-1]["choices"][0]["message"])
    return replies


@cases
def test_of_a_new_claim_in_a_turn_that_was_not_fitted_nothing_is_promised(turns, promised):
    fitted = calibrator(asked=3, turns=turns)
    with served(Talk(), fitted) as address:
        _, new, again = talk(address, PERU["content"], "And what is its currency?", "Are you sure?")
    why = "" if promised else "the calibrator was fitted on turn 1, not on turn 2"
    assert [reply["ralc"]["turn"]["kind"] for reply in (new, again)] == ["new claim", "said again"]
    for reply in (new, again):
        assert reply["ralc"]["calibrated"] is promised
        assert (reply["ralc"]["reason"] or "") == why
        assert (
            reply["choices"][0]["message"]["content"] != "It is the sol."
        )  # the words are as sure as the samples


def test_a_first_claim_said_again_is_promised_in_any_turn():
    with served(Talk(), calibrator(asked=3)) as address:
        first, again, more = talk(address, PERU["content"], SURE["content"], SURE["content"])
    assert [one["ralc"]["calibrated"] for one in (first, again, more)] == [True] * 3


def test_a_greeting_answers_no_question():
    hello = {"role": "assistant", "content": "Hello! What would you like to know?"}
    with served(Talk(), calibrator(asked=3)) as address:
        (first,) = talk(address, PERU["content"], opening=[hello])
    assert first["ralc"]["calibrated"] is True
    assert "turn" not in first["ralc"]


@cases
def test_what_an_unknown_reply_said_is_sampled_from_its_question_alone(unknown, own_answer, known):
    stub, fitted = Talk(), calibrator(asked=3, own_answer=own_answer)
    messages = [PERU, {"role": "assistant", "content": unknown}, SURE]
    with served(stub, fitted, own_answer=own_answer) as address:
        reply = ask(address, {"messages": messages}).json()
        asked = list(stub.asked)
        (first,) = talk(address, PERU["content"])
    assert [one["messages"] for one in asked if one.get("n") == 3] == [[PERU], messages]
    assert reply["usage"]["total_tokens"] == sum(5 + 3 * one.get("n", 1) for one in asked)
    assert reply["ralc"]["calibrated"] is known, reply["ralc"]
    if known:
        assert reply["ralc"]["turn"]["kind"] == "said again"
        if "Lima" in unknown:
            assert reply["ralc"]["confidence"] == first["ralc"]["confidence"]
        assert reply["choices"][0]["message"]["content"] != "Yes, I am sure."
    else:
        assert "does not know" in reply["ralc"]["reason"]


def test_where_the_first_question_cannot_be_sampled_the_reply_stays_unknown():
    class Once(Talk):
        async def complete(self, request):
            if len((await request.json())["messages"]) == 1:
                return JSONResponse({"error": {"message": "no"}}, 400)
            return await super().complete(request)

    messages = [PERU, {"role": "assistant", "content": "It is Lima."}, SURE]
    with served(Once(), calibrator(asked=3)) as address:
        reply = ask(address, {"messages": messages}).json()
    assert "does not know" in reply["ralc"]["reason"]
    assert reply["choices"][0]["message"]["content"] == "Yes, I am sure."


@pytest.mark.parametrize("fault", ["raise", "long"])
def test_what_cannot_be_compared_stays_unknown(monkeypatch, fault):
    def broken(*_):
        raise RuntimeError

    if fault == "raise":
        monkeypatch.setattr("ralc.serve.completion.same_claim", broken)
    unknown = "It is Lima. " * (2_000 if fault == "long" else 1)
    stub = Talk()
    with served(stub, calibrator(asked=3)) as address:
        reply = ask(address, {"messages": [PERU, {"role": "assistant", "content": unknown}, SURE]}).json()
    assert "does not know" in reply["ralc"]["reason"]
    assert len([one for one in stub.asked if one["messages"] == [PERU]]) == (fault == "raise")
