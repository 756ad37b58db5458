"""Archives on a cluster: `gossamer.spark.extract` makes data frames of WARC files, on PySpark.

```
 paths ──▶ sources: inputs, ranges of records ──▶ hadoop: bytes, by the engine's own file systems
                                                        │
                                          tasks: `columnar.rows.read_archive`, each page in a worker
                                                        │  a row for each page, with its statements
                                                        ▼
                                    frames: quads and pages ──▶ job: Parquet, in waves that are done or not
                                                            └─▶ things: entities over all files
```

What a page says is worked out by the function that one machine uses, so the rows are the same. Executors need Gossamer
in their Python, as docs/columns.md tells.
"""

from gossamer.spark.frames import Extraction, extract
from gossamer.spark.things import gather_things

__all__ = ["Extraction", "extract", "gather_things"]
