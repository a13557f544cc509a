"""The phrases that people were asked about, each in a sentence, so that a reader of sentences can read it."""

#: A sentence for every phrase of the human studies.
PHRASE_SENTENCES = {
    "almost certain": "It is almost certain that it happens.",
    "almost certainly": "It almost certainly happens.",
    "highly likely": "It is highly likely that it happens.",
    "very good chance": "There is a very good chance that it happens.",
    "probable": "It is probable that it happens.",
    "likely": "It is likely that it happens.",
    "probably": "It probably happens.",
    "we believe": "We believe that it happens.",
    "better than even": "The odds are better than even that it happens.",
    "about even": "The odds are about even that it happens.",
    "we doubt": "We doubt that it happens.",
    "improbable": "It is improbable that it happens.",
    "unlikely": "It is unlikely that it happens.",
    "probably not": "Probably not.",
    "little chance": "There is little chance that it happens.",
    "almost no chance": "There is almost no chance that it happens.",
    "highly unlikely": "It is highly unlikely that it happens.",
    "chances are slight": "The chances are slight that it happens.",
    "could happen": "It could happen.",
    "may happen": "It may happen.",
    "might happen": "It might happen.",
    "realistic possibility": "There is a realistic possibility that it happens.",
    "remote chance": "There is a remote chance that it happens.",
    "will happen": "It will happen.",
}
