"""`gossamer nodes invite` says what is wrong with a name, an option, or a folder of one node."""

import pytest
from tests.cli.conftest import Gossamer, here

__all__ = ["here"]  # a fixture


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("Node 7",), "no name for an invitation"),
        (("a", "--list"), "one of them"),
        (("--list", "--lifetime", "1d"), "--lifetime is for invitations that are made"),
        (("--lifetime", "soon"), "--lifetime:"),
    ],
)
def test_what_is_wrong_is_said(here: Gossamer, words: tuple[str, ...], said: str) -> None:
    done = here("nodes", "invite", *words, "--frontier", "postgresql://me@127.0.0.1:1/b")
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_a_crawl_of_one_node_invites_nobody(here: Gossamer) -> None:
    done = here("nodes", "invite")
    assert (done.returncode, "is not one of many nodes" in done.stderr) == (2, True)
