"""Tables: what a graph says as typed rows and columns, and the files that they are written to. Pure.

- one term, and the Python value that it stands for: `terms`, `values`
- what the values of a column have in common: `kinds`
- things of a type, gathered: `gathered`, `numbers`, `paths`, `spool`; the columns of their table: `columns`
- files: `writers` (CSV, JSON Lines, Parquet, XLSX)
- a few lines of a table for people: `preview`
- Arrow tables, and the data frames of pandas and polars: `arrow` (needs `gossamer[data]`, as `needs` tells)
"""
