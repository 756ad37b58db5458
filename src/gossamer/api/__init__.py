"""The Python interface: a data folder as an object, and results that become data frames.

`import gossamer` offers what is here by its short name, and loads it when it is used.

- `folder`: `gossamer.open`, and what a folder is asked
- `crawl`: `gossamer.crawl` and `gossamer.Crawl`; `crawl_options` are their keywords, `crawled_page` what they
  give, `crawl_process` the process that does it
- `results`: rows with types, which become data frames and files
- `loop_thread`: where questions run, so that whoever asks needs neither `await` nor a loop
"""
