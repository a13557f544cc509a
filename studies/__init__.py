"""How the committed figures of ``ralc/data`` were estimated from people: run from a checkout, by hand.

Each module says what it writes; ``python -m studies`` reads the committed hedges and the studies anew. Nothing of the
package imports this one, and it is in no wheel.
"""
