"""RALC inside other tools: a module each, which needs that tool's package and is imported by its own name."""
