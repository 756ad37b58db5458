"""Gossamer within other programs; each module needs the package whose name it has.

- `scrapy`: a middleware that asks Gossamer for permission to send, and a loader of items from what pages say
"""
