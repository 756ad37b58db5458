"""The data folder: where its files are, who owns it, and what is safely on the disk.

- `data`: the paths of everything in the folder, its lock, and how much of the disk it takes
- `durable`: waiting until the disk has what was written
- `full_disk`: trying again while the disk is full, or a server away
"""
