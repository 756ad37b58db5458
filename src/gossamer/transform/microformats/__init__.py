"""Microformats 2 and classic ones: class names that turn visible text into data.

The page is read into the intermediate model of the microformats 2 parsing specification
(`parsing`, from `presence` through `marks`, `values` and `implied`), and that is told as RDF
(`statements`). `json_model` writes the model itself, for conformance.
"""

from gossamer.transform.microformats.statements import microformats_statements

__all__ = ["microformats_statements"]
