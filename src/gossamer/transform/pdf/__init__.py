"""PDF documents: their metadata as statements, and the text of their pages for search.

- `needs`: whether the library is there, which is an extra (`gossamer[pdf]`), and the line that installs it
- `file`: an open document, as pypdf reads it: information, XMP packet, text
- `statements`: what it says of itself
"""
