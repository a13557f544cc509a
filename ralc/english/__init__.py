"""English on one parse: sentences, cues, hedges that go in and out, and answers that say the same."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "answer_meaning": ["same_answer"],
        "claim_sentences": ["Unit", "claim_units", "only_hedges", "units", "weighted_sentences"],
        "cues": ["Cue", "read_ahead", "read_cues"],
        "hedge_placement": ["FRAMES", "denies", "place_hedge"],
        "hedge_removal": ["doubts", "remove_hedge"],
        "language_check": ["is_english", "unread"],
        "markdown_text": ["prose"],
        "meaning_preservation": ["changed_meaning"],
        "negation": ["abstains", "denies_background"],
        "normalisation": ["cut_off", "first_sentence", "in_full", "normalise", "plain", "tokens", "words"],
        "patterns": ["cue_classes"],
        "sentence_types": ["hedged_sentence", "orders_writing", "parse_ahead", "sentences"],
        "truecasing": ["names_in"],
        "wordlists": ["ASKED", "PHRASE_SENTENCES", "word_list"],
    },
)
