"""When to look at a page again: what looks have shown, what is believed of its rate of change, and the plan. Pure.

A page's state is its `RateEvidence` alone, a few bytes. Once a page is settled::

    RateEvidence ──after(Look)──▶ RateEvidence    what its looks have shown
        │                         │
        │  before        after    │
        └──▶ Census, RateSums ◀───┘             sums over pages: all, a host, a template
                  │
             Prior, Plan                        made from the sums, never by reading pages
                  │
    believe(evidence, prior) ──▶ Belief         rates that are possible, and how likely each is
                  │
    interval(belief, weight, plan) ──▶ days     until the next look

Pages are looked at in the order in which they are due, as many a day as the budget has: also before they are due, if
nothing else is. So a plan decides who comes sooner, never whether the budget is used.

- `rates`: what a look gains if the rate of change is known, in closed form
- `evidence`: looks, and the bounded sums that determine the likelihood of each rate
- `prior`: what is known of a page before it was looked at twice, by host and URL template
- `belief`: the posterior over the rate, and what follows from it
- `plan`: price and floor, the interval until the next look
- `census`: pages counted by their evidence: the prior of all, and the price that meets a budget
- `steering`: the price corrected by how far looks are behind or ahead, and the price of a host with too little time
- `templates`: URLs that are made alike

Time is in days, rates are changes a day.
"""
