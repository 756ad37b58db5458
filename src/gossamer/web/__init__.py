"""Pages for people: made here, without script, out of the same answers that REST gives to programs."""
