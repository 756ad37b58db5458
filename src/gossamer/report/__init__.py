"""Reports: what is wrong with the structured data of pages, as findings. Pure.

A rule is a function from a page that was read (`page.py`) to findings (`finding.py`). All rules run where pages are
read: in the confined workers, page by page, within the limits of a page.

- `rules.py`: the table of our own rules, those of other packages (entry points in `gossamer.rules`), and how they run
- `syntax.py`: what readers complained of; `schema_types.py`, `schema_values.py`, `check_digits.py`: the other rules
- `summary.py`: findings counted, with examples of each rule, in bounded memory
- `writers.py`: findings as JSON, Markdown or one HTML file
"""
