"""Every decision about one URL, each with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from gossamer.config import Budget, Config, Urls
from gossamer.model import Refusal, Url
from gossamer.moments import iso_moment, now_utc
from gossamer.politeness.delay import Delay
from gossamer.politeness.permission import Checked
from gossamer.politeness.ranking import Ranking
from gossamer.politeness.usage import robots_usage
from gossamer.sending.check import RulesAndClocks, check, without_user_info
from gossamer.urls import SeedScope, host_of, origin_of, seed, site_of, trapped
from gossamer.urls.forms import UrlForm, forms_by


@dataclass(frozen=True, slots=True)
class Explanation:
    """What each part says about a URL; empty past the part that said no to its very form."""

    given: str
    checked: Checked
    scope_kind: str
    form: UrlForm | None = None  # where keys of `urls` ask for another one than was given
    seeds: int = 0  # that the scope was judged by; without any, its expressions alone count
    scope: Refusal | None = None
    trap: Refusal | None = None
    delay: Delay | None = None
    ready_at: datetime | None = None  # None: at once
    trouble: str | None = None  # what speaks against its host
    budget: Budget | None = None  # of its site; who links to that is for the crawl to know
    ranking: Ranking | None = None  # when its turn comes, compared with other pages
    follow_query: str | None = None  # which names the links that are followed

    @property
    def url(self) -> Url | None:
        """The canonical form, if there is one."""
        return self.checked.url

    def record(self) -> Mapping[str, object]:
        """The explanation as JSON has it."""
        return {
            "given": self.given,
            "url": self.url,
            **({} if self.url is None else _names(self.url)),
            "form": None
            if self.form is None
            else {"dropped": list(self.form.dropped), "sorted": self.form.is_sorted},
            "scope": {
                "kind": self.scope_kind,
                "seeds": self.seeds,
                "refused": _refusal(self.scope),
            },
            "trap": _refusal(self.trap),
            "robots": _robots(self.checked),
            "delay": None
            if self.delay is None
            else {
                "seconds": self.delay.seconds,
                "source": self.delay.source,
                "ready_at": _moment(self.ready_at),
            },
            "trouble": self.trouble,
            "budget": {
                "pages": self.budget and self.budget.pages,
                "pages_per_linking_site": self.budget and self.budget.pages_per_linking_site,
            },
            "order": self.ranking and self.url and self.ranking.record(self.url),
            "follow_query": self.follow_query,
            "verdict": self.checked.verdict.record(),
        }


async def explain(
    client: RulesAndClocks, text: str, config: Config, seeds: Sequence[Url] = ()
) -> Explanation:
    """Ask every part about a URL; robots.txt is fetched politely where it is not known.

    `seeds` are those of the crawl that it may belong to.
    """
    form = _form_of(text, config.urls)
    checked = await check(client, text if form is None else form.url)
    explanation = Explanation(without_user_info(text), checked, config.scope.kind, form)
    url = checked.url
    if url is None:
        return explanation
    now, host = now_utc(), host_of(url)
    # Whether the URL is near enough depends on the seeds of a crawl.
    scope = config.scope if seeds else replace(config.scope, kind="any")
    wait = client.ledger.wait(host, now)
    return replace(
        explanation,
        seeds=len(seeds),
        scope=SeedScope(scope, seeds).admits(url),
        trap=trapped(url, now, config.traps),
        delay=client.ledger.delay(host),
        ready_at=wait.until if wait else None,
        trouble=client.ledger.evidence(host).meaning,
        budget=config.budget,
        ranking=Ranking.of(config.crawl),
        follow_query=config.crawl.follow_query,
    )


def _form_of(text: str, urls: Urls) -> UrlForm | None:
    url = seed(text)
    if isinstance(url, Refusal):
        return None
    form = forms_by(urls).form(url)
    return form if form.is_changed else None


def _names(url: Url) -> dict[str, object]:
    return {"host": host_of(url), "origin": origin_of(url), "site": site_of(host_of(url))}


def _refusal(refusal: Refusal | None) -> dict[str, str] | None:
    return None if refusal is None else {"rule": refusal.rule, "why": refusal.why}


def _robots(checked: Checked) -> dict[str, object] | None:
    rules, decision = checked.rules, checked.decision
    if rules is None or decision is None:
        return None
    group = decision.group
    return {
        "allowed": decision.allowed,
        "group": group and group.agent,
        "group_line": group and group.line_number,
        "line": decision.line_number,
        "text": decision.line,
        "why": decision.why,
        "answer": rules.record.cause,
        "answered_at": _moment(rules.record.answered_at),
        "ask_at": _moment(rules.record.ask_at),
        "sitemaps": list(rules.policy.sitemaps),
        "content_usage": [str(usage) for usage in robots_usage(rules.policy.usage_lines)],
    }


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else iso_moment(moment)
