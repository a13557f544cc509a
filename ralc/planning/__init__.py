"""What a run will ask of its models, before anything is spent: calls, tokens, hours, money, disk.

Counted from the configuration, by the stages that the workflow runs; how many answers a question takes that are asked
for in rounds, from those of an earlier run, where there is one. The calls are at most so many: equal requests are sent
once, a question whose answers are all alike is not clustered by a model, what has no reading is not rewritten, and only
a rewrite that is read far from its target is corrected, once. Tokens, hours and disk follow from assumptions, marked
ASSUME.
"""

from ralc.planning.demand import HEDGED_TOKENS, HUMAN_TEXTS, PEOPLE, PROMPT_TOKENS
from ralc.planning.prices import SPEED, of_signals, plan
from ralc.planning.sizes import OFFICIAL, Size, answered, expected, lexicon_size, sizes, unanswered

__all__ = [
    "HEDGED_TOKENS",
    "HUMAN_TEXTS",
    "OFFICIAL",
    "PEOPLE",
    "PROMPT_TOKENS",
    "SPEED",
    "Size",
    "answered",
    "expected",
    "lexicon_size",
    "of_signals",
    "plan",
    "sizes",
    "unanswered",
]
