"""Settings: where values come from, changes at run time, and what a node was told.

- `sources`: runtime changes, command line, environment, file and defaults, in this order
- `folder_settings`: the settings of a folder, without a command line
- `crawl_options`: what a crawl was asked to do, kept beside what it found
- `checks`: what the part that uses a value has against it
- `in_force`: what a process that runs goes by, and what waits for a reload or its next start
- `runtime`: changes while a crawl runs, kept for later runs
- `node`: the folder as a node of a crawl: its name, and where its frontier is
- `tokens`: the secrets that let programs change things
"""
