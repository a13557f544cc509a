"""Rating: people say what they believe of answers in different words, on a page of this machine (`ralc rate`).

`design` says who is asked what and how many people it takes, `form` asks, `ratings` reads what was said and hands it to
the reliance model and to the reader's audiences.
"""
