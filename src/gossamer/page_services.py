"""External services, asked by the owner of a pool: its workers have no way out.

A worker that reads a page of a media type with a service (`transform.services`) answers with a
question. The owner sends the document to the address of its own configuration, off its event loop,
and hands the page out again with the reply.
"""

from asyncio import get_running_loop
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from gossamer.extracted import PageJob, ServiceQuestion
from gossamer.model import Problem, ServiceReply


class Services:
    """Asks so many services at once, in threads of its own; to be closed."""

    def __init__(self, most: int) -> None:
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="service")

    def close(self) -> None:
        """Ask no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def ask(self, job: PageJob, question: ServiceQuestion) -> PageJob:
        """The page again, with what the service says of it."""
        reply = await get_running_loop().run_in_executor(self._threads, ask_for, job, question)
        return replace(job, service=reply)


def ask_for(job: PageJob, question: ServiceQuestion) -> ServiceReply:
    """Ask the service for a page's media type, and wait for its reply."""
    # Only here: whoever has no services need not load what reads documents.
    from gossamer.transform.document import Document
    from gossamer.transform.iris import mended
    from gossamer.transform.service_client import ask_in_time
    from gossamer.transform.services import Endpoint, endpoint_for

    # The worker says what the document is; where it goes is our own configuration's to say.
    endpoint = endpoint_for(job.options, question.media_type)
    source = mended(job.url.partition("#")[0])
    if not isinstance(endpoint, Endpoint) or source is None:
        return ServiceReply(fault="There is no service for this document.")
    body = job.body if question.body is None else question.body
    document = Document(source, body, media_type=question.media_type, options=job.options)
    answer = ask_in_time(endpoint, document)
    if isinstance(answer, Problem):
        return ServiceReply(fault=answer.message)
    return ServiceReply(answer.status, answer.content_type, answer.body)
