"""The phrases that people were asked about, each in a sentence, so that a reader of sentences can read it."""

#: The phrases that can stand before or inside any answer: as a hedge, with its grammatical frame.
ASKED = {
    "almost certainly": ("almost certainly", "adverb"),
    "probably": ("probably", "adverb"),
    "we believe": ("we believe", "clause"),
    "we doubt": ("we doubt", "clause"),
    "almost certain": ("it is almost certain", "clause"),
    "highly likely": ("it is highly likely", "clause"),
    "likely": ("it is likely", "clause"),
    "probable": ("it is probable", "clause"),
    "improbable": ("it is improbable", "clause"),
    "unlikely": ("it is unlikely", "clause"),
    "highly unlikely": ("it is highly unlikely", "clause"),
    "very good chance": ("there is a very good chance", "clause"),
    "little chance": ("there is little chance", "clause"),
    "almost no chance": ("there is almost no chance", "clause"),
    "chances are slight": ("the chances are slight", "clause"),
    "better than even": ("the odds are better than even", "clause"),
    "about even": ("the odds are about even", "clause"),
    "realistic possibility": ("there is a realistic possibility", "clause"),
    "remote chance": ("there is a remote chance", "clause"),
}

#: A sentence for every phrase of the human studies.
PHRASE_SENTENCES = {
    phrase: f"It {hedge} happens." if frame == "adverb" else f"{hedge[0].upper()}{hedge[1:]} that it happens."
    for phrase, (hedge, frame) in ASKED.items()
} | {
    "probably not": "Probably not.",
    "could happen": "It could happen.",
    "may happen": "It may happen.",
    "might happen": "It might happen.",
    "will happen": "It will happen.",
}
