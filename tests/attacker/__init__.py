"""An attacker of `ralc serve`: ``python -m tests.attacker 1200`` attacks a real one for so many seconds.

`upstream` is a server that does what the model's name says; `attacks` is what callers do; `siege` does it at random and
counts. ``make test-hostile`` runs it for a while.
"""
