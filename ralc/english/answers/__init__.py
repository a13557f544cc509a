"""What an answer claims, without a parse: `same_answer` and `match_answer`."""
