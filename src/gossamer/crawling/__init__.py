"""The parts of a crawl: what `gossamer.crawl` ties together."""
