"""Archives as columns: WARC files to Parquet, on one machine or on Spark, and questions to the result.

```
 WARC files ──▶ reading ──▶ rows ──┬──▶ pair_files ──▶ DIR/quads, DIR/pages       job: one machine
               (records,           └──▶ data frames ──▶ partitioned by host       gossamer.spark
                workers)                                      │
                                                              ▼
                                    duck (SQL), things (entities), bulk_load (stores)
```

- a record as rows, for both engines: `rows`; the cheap look is `detect`'s, within the worker
- the pair of files of one input: `pair_files`; many inputs, again and again: `inputs`, `job`, `manifest`
- questions: `duck` (views for DuckDB), `things` (entities over all files), `bulk_load` (other stores)
"""
