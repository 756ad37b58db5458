"""The data folder: where its files are, who owns it, and what is safely on the disk.

- `data`: the paths of everything in the folder, and its lock
- `durable`: waiting until the disk has what was written
- `disk`: how much room files take
"""
