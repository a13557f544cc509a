"""The lexicon's sentences: each hedging expression written into non-verifiable statements (appendix D.1)."""

from ralc.english.normalisation import normalise

#: The paper's twelve non-verifiable statements.
STATEMENTS = (
    "There is a correlation between X and Y.",
    "It rains tomorrow.",
    "The experiment shows a significant effect.",
    "The new policy improves the economy.",
    "The medication is effective in treating the disease.",
    "The new product is successful in the market.",
    "The neighbour is home.",
    "The movie is good.",
    "The restaurant serves delicious food.",
    "The city is the oldest in the country.",
    "The book is informative.",
    "The report is not accurate.",
)


def carries(sentence: str, expression: str) -> bool:
    """Return whether an expression stands in a sentence, word by word, whatever the case and punctuation.

    >>> carries("Without a doubt, it is good.", "without a doubt"), carries("It is good.", "good chance")
    (True, False)
    """
    wanted = normalise(expression)
    return bool(wanted) and f" {wanted} " in f" {normalise(sentence)} "
