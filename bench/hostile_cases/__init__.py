"""Good hosts and hostile ones, side by side in one crawl."""
