"""Links, from HTML and from statements. Pure."""
