"""What developers run: the budgets of lines, and the pages that are written from the code."""
