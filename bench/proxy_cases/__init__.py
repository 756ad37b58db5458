"""An origin, clients and proxies to measure."""
