"""Which syntaxes are in these bytes? Pure."""
