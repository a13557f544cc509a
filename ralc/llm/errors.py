"""What goes wrong with models, for all who ask them."""


class EngineError(RuntimeError):
    """An engine that cannot go on; the message says what to change."""
