"""What a URL is: canonical form, host and site, keys, scope, traps. Pure."""
