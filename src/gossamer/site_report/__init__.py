"""Reports of whole sites: what pages say is kept, and compared with other pages and with what was fetched.

Life of a site's report: pages are read in workers, or were by a crawl with `report.keep` → `store.py` keeps findings and
facts of each (`report.db` of a data folder, or a temporary file) → `things.py`, `links.py`, `coverage.py` find what no page
shows by itself, with SQL, so that memory does not grow with the site → writers of `report/`, and the page `/report`.

- `store.py`: the file; `check.py`: all rules of sites, and how they run
- `archived.py`: the pages of an archive as inputs, and how everything else was answered
"""
