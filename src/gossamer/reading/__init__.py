"""Reading: a page's bytes to what it says, in processes that can be killed.

- `extraction`: decode, detect, transform and extract one page, in one call; `page_reading` are its steps
- `jobs`: a page to be read (`PageJob`) and what it says (`Extracted`); sitemaps likewise
- `external_services`: which address of a user's service is asked, and how absent ones are waited for
- `page_pool`: the worker processes that do so; `pool/` knows nothing of pages
- `isolation`: such workers for callers that do not await (`gossamer.extract(…, isolated=True)`)
- `pages`: all pages of files, folders and WARC files (`gossamer.pages`)
- `page_worker`: what runs inside a worker
- `inputs`: files, folders and WARC records as pages
- `spellings`: names of syntaxes as people write them
- `wanted`: which syntaxes a user asks for, and what is worth downloading
"""
