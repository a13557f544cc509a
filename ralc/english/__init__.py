"""English on one parse: sentences, cues, hedges that go in and out, and answers that say the same."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "answer_meaning": ["same_answer"],
        "claim_sentences": ["claim_units"],
        "cues": ["read_cues"],
        "hedge_placement": ["place_hedge"],
        "hedge_removal": ["remove_hedge"],
        "sentence_types": ["sentences"],
    },
)
