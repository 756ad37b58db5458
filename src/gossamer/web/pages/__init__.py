"""One file a page: a request into a question, its answer into a frozen value, that into HTML."""
