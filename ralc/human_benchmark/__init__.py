"""The human benchmark: any evaluator of confidence against what people read (paper section 5.1)."""
