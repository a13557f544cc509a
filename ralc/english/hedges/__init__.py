"""What a speaker is sure of, by the parse: `sentences`, `read_cues`, `place_hedge` and `remove_hedge`."""
