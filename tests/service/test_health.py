"""Whether the service answers at all."""

from tests.service.running import Client

from gossamer import __version__


def test_a_service_that_runs_is_well(ask: Client) -> None:
    answer = ask("/health")
    assert (answer.status, answer.media_type) == (200, "application/json")
    assert answer.json == {"status": "ok", "version": __version__, "owner": "serve"}
