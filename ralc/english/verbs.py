"""Closed classes of English verbs and adverbs, for rules that look at words alone."""

import re

from ralc.english.normalisation import set_of

BE = set_of("am is are was were isn't aren't wasn't weren't")
ADVERB = re.compile(r"[a-z]+ly|first|also|never|always|often|already|only|still|just")
