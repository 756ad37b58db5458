"""What is known about hosts and URLs, on disk."""
