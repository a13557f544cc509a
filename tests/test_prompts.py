"""The prompts: the paper's words with its placeholders, and nothing undefined."""

import pytest
from jinja2 import UndefinedError

from ralc import prompts

VALUES = {
    "question": "What is the capital of Peru?",
    "choices": ["Lima", "Cusco", "Arequipa"],
    "human_annotated_cues": "probably: 0.7 (0.1)",
    "unanswerable": False,
    **{
        "title": "Peru",
        "context": "Peru is a country.",
        "correct_answer": "Lima",
        "predicted_answer": "Lima.",
    },
    **{"sentence": "It is Lima.", "responses": "0: 'Lima'", "response": "It is Lima.", "word": "perhaps"},
    **{"selected_sentence": "It rains tomorrow.", "hedges": "probably\nperhaps", "alpha": 2.0, "beta": 0.5},
}
PAPER = {
    "direct_qa_multiple_choice": "Answer: [Return the answer letter only]",
    "hedged_qa_multiple_choice": "hedging this answer. Please include the option letter in your answer.",
    "direct_qa_reading_comprehension": "Title: Peru\n\nBackground: Peru is a country.\n\nQuestion: What is the capital",
    "hedged_qa_reading_comprehension": "convey this uncertainty linguistically by precisely hedging this answer.",
    "direct_qa_short_answer": "using a succinct (at most one sentence) and full answer.\n\nQuestion: What",
    "hedged_qa_short_answer": "If you are uncertain about your answer to the question,",
    "grader_sentence": "Reference: Peru is a country.\n\nPredicted answer: Lima.",
    "evaluator": "Here is the sentence:\nIt is Lima.\n\nConfidence Score: [Return only a number between 0 and 100",
    "grader": "Correct answer: Lima\n\nPredicted answer: Lima.",
    "clusterer": '{"semantic_ids": [0, 0, 1]}',
    "lexicon_sentence": 'Given a linguistic cue: "perhaps", rewrite one of',
    "rewrite": 'My answer to the question is: "It is Lima."\n\nTarget hedging words with confidence profiles: probably',
    "direct_beta": "Target Beta distribution: Beta(alpha=2.00, beta=0.50)",
}


@pytest.mark.parametrize("name", PAPER)
def test_paper_prompts_are_one_user_message_and_need_every_value(name):
    (message,) = prompts.messages(name, **VALUES)
    assert message["role"] == "user"
    assert PAPER[name] in message["content"]
    with pytest.raises(UndefinedError):
        prompts.messages(name)


def test_grader_deviates_by_one_sentence_for_unanswerable_questions_only():
    ((plain,), (extended,)) = (
        prompts.messages("grader", **VALUES | {"unanswerable": one}) for one in (False, True)
    )
    (added,) = set(extended["content"].splitlines()) - set(plain["content"].splitlines())
    assert "says that the background does not contain the answer is CORRECT" in added


@pytest.mark.parametrize("form", ["short_answer", "multiple_choice", "reading_comprehension"])
@pytest.mark.parametrize("prompt", ["direct", "hedged"])
def test_short_prompts_are_conversations_that_end_with_the_question(prompt, form):
    messages = prompts.messages(f"short_{prompt}_qa_{form}", **VALUES)
    roles = [message["role"] for message in messages]
    assert roles == ["system", *["user", "assistant"] * ((len(roles) - 2) // 2), "user"]
    assert VALUES["question"] in messages[-1]["content"]
