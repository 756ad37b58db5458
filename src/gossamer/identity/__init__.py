"""The identity of a crawler: keys that sign its requests, and the directory by which servers check them.

    keys       the keys of a data folder: made, rotated, readable by their owner only
    signing    pure: the headers that sign one request (RFC 9421, Web Bot Auth)
    directory  the public keys as servers fetch them
    signer     signs for whoever sends, with the key in use at the moment

    create ──▶ in use ──rotate──▶ still published ──▶ dropped
               └── the next key is published first, and used when servers have had time to fetch it

Without an identity nothing is signed, and no library for it is loaded.
"""
