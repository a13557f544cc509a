"""English in four verbs on one parse: `sentences`, `read_cues`, `place_hedge` and `remove_hedge`, `same_answer`.

Nobody outside imports anything else of this package than what is offered here.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "answer_meaning": ["lexical_clusters", "same_answer"],
        "cues": ["Cue", "read_cues"],
        "hedge_placement": ["FRAMES", "place_hedge"],
        "hedge_removal": ["Unhedged", "changed_meaning", "remove_hedge"],
        "normalisation": ["first_sentence", "in_full", "tokens", "words"],
        "readable_text": ["unread"],
        "sentence_types": ["Sentence", "parse_ahead", "sentences"],
    },
)
