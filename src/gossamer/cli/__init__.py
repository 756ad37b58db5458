"""The command line: each command builds its parts and calls one function."""
