"""Word sets of the grammar of cues: degree words, negations, and what may stand around a state of mind."""

from ralc.english.normalisation import set_of

_DEGREE_WORDS = {
    "max": "absolutely completely entirely totally utterly fully perfectly wholly altogether 100% dead definitively"
    " positively crystal abundantly overwhelmingly thoroughly unreservedly unshakably unshakeably downright supremely"
    " eminently",
    "high": "very highly extremely really strongly most exceptionally exceedingly truly deeply increasingly"
    " remarkably so particularly extraordinarily incredibly overly super especially far too much genuinely honestly"
    " terribly awfully hugely immensely intensely enormously profoundly seriously firmly damn darn bloody",
    "mid": "fairly pretty quite reasonably rather relatively moderately sufficiently mostly largely generally more"
    " cautiously tolerably passably comfortably decently adequately modestly acceptably nearly",
    "low": "somewhat partially tentatively only partly less least half",
    "faint": "slightly mildly vaguely marginally barely faintly minimally",
    "at_all": "remotely",
}
_DEGREE_PHRASES = {
    "max": ("100 percent", "one hundred percent", "a hundred percent", "hundred percent", "stone cold"),
    "mid": ("pretty much", "more or less", "for the most part"),
    "low": ("kind of", "sort of", "to some extent"),
    "faint": ("a bit", "a little", "a tad", "a touch", "a shade"),
    "at_all": (
        *("at all", "even remotely", "in the least", "the least", "the least bit", "in the slightest"),
        "the slightest bit",
    ),
}
#: Degree words and phrases, as words, and the group of each.
DEGREES: dict[tuple[str, ...], str] = {
    **{(word,): group for group, words in _DEGREE_WORDS.items() for word in sorted(set_of(words))},
    **{tuple(phrase.split()): group for group, phrases in _DEGREE_PHRASES.items() for phrase in phrases},
}
NEGATIONS = set_of("not never hardly scarcely nor neither none barely")
NEGATING_PHRASES = (
    ("far", "from"),
    ("less", "than"),
    ("anything", "but"),
    ("nowhere", "near"),
    ("without", "being"),
    ("short", "of"),
)
#: Words that may stand between a negation and the state of mind that it negates.
TRANSPARENT = set_of(
    "be being been say feel feeling i am is are was were too that so it all yet able to 100 entirely claim state with"
    " any still quite"
)
CLAUSE_MARKS = frozenset('.,;:!?…—()[]{}"“”«»\n')
SENTENCE_ENDS = frozenset(".!?:;…—([{\n")
#: Classes that take degree words, and classes that take a negation standing before them.
GRADABLE = set_of(
    "sure confident likely probable possible unsure unlikely doubt improbable clearly good_chance clueless conceivable"
    " hard_to_say impossible"
)
NEGATABLE = set_of(
    "certain sure confident clearly must unsure doubt fact almost_certain presume majority hard_to_say"
)
STATE_CLASSES = set_of("sure confident unsure doubt clearly fact")
#: Classes of adverbs that speak of all that follows where they open a text.
OPENING = set_of("maybe possible probable alleged")
#: Cues beside which a number is the speaker's certainty.
NUMBERED = set_of("sure confident chance likely good_chance probable")
#: Cues that say nothing of their own before a number.
RULED_BY_NUMBERS = set_of("opinion think believe lean guess presume")
#: Classes of cues that reject an answer.
REJECTING = set_of("doubt unlikely probably_not improbable impossible")
#: Classes of cues by which others speak.
OTHERS = set_of("reported majority alleged presume disputed")
#: Words that round a number.
ROUGHLY = set_of(
    "about around roughly approximately perhaps maybe only at least over nearly almost some like say just"
)
