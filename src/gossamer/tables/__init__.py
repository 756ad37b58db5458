"""Tables: what a graph says as typed rows and columns, and the files that they are written to. Pure.

- one term, and the Python value that it stands for: `terms`, `values`
- what the values of a column have in common: `kinds`
- Arrow tables, and the data frames of pandas and polars: `arrow` (needs `gossamer[data]`)
"""
