"""Parts of the index benchmark."""
