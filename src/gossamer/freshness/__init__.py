"""When to look at a page again: what looks have shown, what is believed of its rate of change, and the plan. Pure.

A page's state is its `RateEvidence` alone, a few bytes. Once a page is settled::

    RateEvidence ──after(Look)──▶ RateEvidence    what its looks have shown
                                  │
                               bin_of             pages that are nearly alike, as one number
                                  │
            Census, RateSums ◀────┤               counts and sums over pages: all, a host, a template
                  │               │
             Prior, Plan          │               made from these, never by reading pages
                  │               │
                  └─▶ LookPlanner.expect ──▶ days until the next look, rate, freshness

Pages are looked at in the order in which they are due, as many a day as the budget has: also before they are due, if
nothing else is. So a plan decides who comes sooner, never whether the budget is used.

- `rates`: what a look gains if the rate of change is known, in closed form
- `evidence`: looks, and the bounded sums that determine the likelihood of each rate
- `prior`: what is known of a page before it was looked at twice, by host and URL template
- `belief`: the posterior over the rate, and what follows from it
- `plan`: price and floor, the interval until the next look
- `bins`: evidence and weight in steps, as one number
- `census`: pages counted by bin: the prior of all, and the price that meets a budget
- `groups`: sums over the pages of a host or URL template, and the prior that they come to
- `planner`: belief, plan and prior together, worked out once for all pages that are alike
- `steering`: the price corrected by how far looks are behind or ahead, and the price of a host with too little time
- `templates`: URLs that are made alike

Time is in days, rates are changes a day.
"""
