"""Reports: what is wrong with the structured data of pages, as findings. Pure.

A rule is a function from a page that was read (`page.py`) to findings (`finding.py`). All rules run where pages are
read: in the confined workers, page by page, within the limits of a page.

- `rules.py`: the table of our own rules, those of other packages (entry points in `gossamer.rules`), and how they run
- `syntax.py`: what readers complained of
- `schema_page.py`: a page in schema.org's terms; `schema_names.py`: names that there are not; `schema_shape.py`: domains and ranges
- `schema_values.py`, `data_types.py`, `check_digits.py`, `codes.py`: values; `plausibility.py`: values that contradict each other
- `summary.py`: findings counted, with examples of each rule, in bounded memory
- `writers.py`: findings as JSON, Markdown or one HTML file
"""
