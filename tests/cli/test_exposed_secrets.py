import pytest

from gossamer.cli.exposed_secrets import exposed_secrets, has_password


@pytest.mark.parametrize(
    ("address", "has_one"),
    [
        ("postgresql://me:secret@db.test/crawl", True),
        ("postgresql://me:se%40cret@a.test:5432,b.test:5433/crawl", True),
        ("postgresql://me@db.test/crawl?password=secret", True),
        ("host=db.test password=secret", True),
        ("password = 'se cret' host=db.test", True),
        ("postgresql://me@db.test:5432/crawl", False),
        ("postgresql://[::1]:5432/crawl?sslmode=require", False),
        ("host=db.test passfile=/x user=me", False),
        ("http://me:secret@proxy.test:3128", True),
        ("http://proxy.test:3128", False),
    ],
)
def test_an_address_with_a_password_is_told_from_one_without(address: str, has_one: bool) -> None:
    assert has_password(address) is has_one


def test_a_secret_on_the_command_line_is_warned_about_with_a_safer_way() -> None:
    address = "postgresql://me:s3cret@db.test/crawl"
    given = {"frontier.address": address, "service.token": "t0ken", "politeness.delay": "1"}
    first, second = exposed_secrets(given)
    assert first.startswith("warning: --frontier holds a password")
    assert "~/.pgpass" in first
    assert "GOSSAMER_FRONTIER_ADDRESS" in first
    assert "GOSSAMER_SERVICE_TOKEN" in second
    assert "s3cret" not in first
    assert "t0ken" not in second


def test_nothing_is_said_where_nothing_is_given_away() -> None:
    given = {
        "frontier.address": "postgresql://me@db.test/crawl",
        "proxy.users": ("anna:scrypt:a:b",),
    }
    assert list(exposed_secrets(given)) == []
