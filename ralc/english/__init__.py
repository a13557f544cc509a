"""English on one parse: sentences, cues, hedges that go in and out, and answers that say the same."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "answer_meaning": ["same_answer"],
        "cues": ["Cue", "read_ahead", "read_cues"],
        "hedge_placement": ["FRAMES", "denies", "place_hedge"],
        "hedge_removal": ["changed_meaning", "doubts", "remove_hedge", "without_remark"],
        "negation": ["abstains", "denies_background"],
        "normalisation": ["cut_off", "first_sentence", "in_full", "normalise", "plain", "tokens", "words"],
        "patterns": ["cue_classes"],
        "readable_text": ["is_english", "prose", "unread"],
        "sentence_types": [
            "Sentence",
            "claiming_sentences",
            "orders_writing",
            "parse_ahead",
            "sentences",
            "weighted_sentences",
        ],
        "wordlists": ["ASKED", "PHRASE_SENTENCES", "word_list"],
    },
)
