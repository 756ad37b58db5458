"""What answers say: the pool reads them, contexts are fetched for those that name some."""

from dataclasses import dataclass, replace
from typing import Final

from gossamer.config import KIB, Config
from gossamer.crawling.contexts import Contexts
from gossamer.extracted import Extracted, PageJob
from gossamer.model import BodyState, Fetched
from gossamer.page_pool import TransformPool

# What a page says without its contexts is kept for it while it waits for them, as long as it is no
# more than this: a thousand pages may wait. One that says more is read again, come what may.
MOST_BYTES_WAITING: Final = 64 * KIB


@dataclass(slots=True)
class Reader:
    """Reads answers in worker processes."""

    config: Config
    pool: TransformPool
    contexts: Contexts

    async def read(self, fetched: Fetched) -> Extracted | None:
        """What an answer says; None where there is nothing to be read."""
        if not 200 <= fetched.status < 300 or fetched.body_state is not BodyState.WHOLE:
            return None
        job = PageJob(
            fetched.url,
            fetched.body,
            fetched.header("content-type"),
            fetched.content_encoding,
            options=self.config.transform,
            max_decoded_bytes=self.config.fetch.max_decoded_bytes,
            max_links=self.config.crawl.links_per_page,
            bare_links=True,
            link_query=self.config.crawl.follow_query,
        )
        extracted: Extracted | None = await self.pool.run(job)
        assert extracted is not None
        wants = {problem.wants for problem in extracted.problems if problem.wants is not None}
        if not wants:
            return extracted
        if len(extracted.nquads) > MOST_BYTES_WAITING:
            extracted = None
        found = await self.contexts.get(wants, fetched.url)
        if extracted is None or found.bodies:
            extracted = await self.pool.run(replace(job, contexts=found.bodies))
        return replace(extracted, problems=(*extracted.problems, *found.problems))
