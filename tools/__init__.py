"""What developers run: the budgets of nodes, and the pages that are written from the code."""
