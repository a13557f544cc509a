"""English in five verbs: `sentences`, `read_cues`, `place_hedge` and `remove_hedge`, `same_answer`, `match_answer`.

What `match_answer` says without the accepted answers is `is_nonresponsive`.

Nobody outside imports anything else of this package than what is offered here.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "answer_match": ["is_nonresponsive", "match_answer"],
        "answer_meaning": ["meaning", "same_answer"],
        "cues": ["Cue", "read_cues"],
        "choices": ["states_choice"],
        "hedge_placement": ["opening_gap", "place_hedge", "place_note", "place_opening"],
        "hedge_removal": ["changed_meaning", "remove_hedge"],
        "language": ["LanguageModel"],
        "normalisation": ["first_sentence", "in_full", "words"],
        "ordered_writing": ["orders_writing"],
        "program_text": ["CodeModel"],
        "readable_text": ["unread"],
        "sentence_types": ["Sentence", "parse_ahead", "sentences"],
    },
)
