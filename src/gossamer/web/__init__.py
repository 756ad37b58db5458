"""Web pages, rendered on the server from the same answers that REST gives."""
