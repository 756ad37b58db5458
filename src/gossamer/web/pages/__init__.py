"""One module per page: request to question, answer to a frozen value, value to HTML."""
