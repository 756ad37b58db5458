"""What a crawl wants first: what is wanted, where it is found, and which links are likely to lead there. Pure.

Links of a host that look alike are an *arm*: URLs of one form (`freshness.templates`), whose links stand at the
same point of the tree of tags, and, where many of them stand on one page, on that page. What visits of an arm
brought, how long they took and which arms their pages led to are sums of a few numbers::

    LinkHint ──arms_of(page, hints)──▶ arm and parent of each link       while a page is settled
        │
        └──clues──▶ ClueTable.estimate                                   before anything is known of its arm

    ArmSums, leads ──indices──▶ wanted things per second, of each arm    when a host's next page is chosen

- `wants`: what the user wants, and how much
- `matching`: what of that a page has; runs in the worker that reads the page
- `hints`: where a link stands, and the words with it
- `link_arms`: which links are one arm
- `arms`: the sums of an arm, and its index: what it brings itself, and through the pages that it leads to
- `clues`: what words, tags and hosts tell of links whose arm is new
- `harvest`: how much was found of late, and when it would be reasonable to stop

All sums are added to, never replaced: so many nodes may learn together.
"""
