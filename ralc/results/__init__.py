"""Views of the two results tables: which rows are shown, and what names are called."""
