from gossamer.crawling.progress import Progress
from gossamer.frontier.protocol import Ended
from gossamer.model import Cause, Problem, Refusal

from .cases import NOW, answered, assignment, extracted, failed, judge


def test_sums_are_of_all_pages_that_were_settled() -> None:
    judged, page = judge(), assignment(attempts=9)
    progress = Progress(NOW)
    said = extracted(problems=(Problem("Hm."), Problem("Well.")))
    progress.note([judged.answered(page, answered(body=b"12345"), said, NOW)])
    progress.note(
        [
            judged.failed(page, failed(Cause.RESET)),
            judged.answered(page, answered(500, b"123"), None, NOW),
            judged.refused(page, Refusal("robots", "Disallow: /")),
        ]
    )
    assert progress.ended == {Ended.CONTENT: 1, Ended.FAILED: 2, Ended.REFUSED: 1}
    assert progress.causes == {"reset": 1, "status-500": 1, "robots": 1}
    assert (progress.quads, progress.problems, progress.bytes) == (1, 2, 8)


def test_a_page_that_came_too_late_counts_when_it_is_settled() -> None:
    progress = Progress(NOW)
    first, second = (
        judge().answered(assignment()._replace(token=token), answered(), extracted(), NOW)
        for token in (1, 2)
    )
    progress.note([first, second], [first.settlement.page])
    assert progress.ended == {Ended.CONTENT: 1}
    assert progress.quads == 1


def test_an_attempt_that_is_repeated_counts_as_such_and_not_as_a_failure() -> None:
    progress = Progress(NOW)
    progress.note([judge().failed(assignment(), failed(Cause.RESET))])
    assert progress.ended == {Ended.RETRY: 1}
    assert not progress.causes
