"""What goes wrong with models, for all who ask them."""


class EngineError(RuntimeError):
    """An engine that cannot go on; the message says what to change, `answers` are those to the request it met."""

    answers = ()


class BudgetReachedError(EngineError):
    """The budget is spent; what was answered is in the journal."""
