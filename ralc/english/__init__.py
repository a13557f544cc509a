"""English in five verbs: `sentences`, `read_cues`, `place_hedge` and `remove_hedge`, `same_answer`, `match_answer`.

Without the accepted answers, `may_be_beside` says whether a reply answers its question.

Nobody outside imports anything else of this package than what is offered here.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
