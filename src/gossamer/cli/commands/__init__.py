"""One module a command; `gossamer.cli` loads each by its name, which stands in its table `GROUPS`, when it is asked for.

A module is loaded to show the command's help and to complete its options as well, which has to be
quick. So its top imports what the command looks like with; what it does is imported by the function
that runs: from `gossamer.cli.run_…` where it is long.
"""
