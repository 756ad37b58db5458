import pytest

from gossamer.errors import ConfigError
from gossamer.proxy.passwords import USUAL, Cost, User, checked_users, told_of_cheap

QUICK = Cost(10, 1, 1)
# As an older Gossamer wrote it, for the password "secret".
OLD = "bert:scrypt:c2pzLCF5HpHbDWvnKzE+dQ==:lp4pjB6vivpchz6g+1Cd3ydPhcm2ou9HN/+Bj7YxOsVDZcexrWQ06UKWDRNf8v7ur1SQ1+Fu0FZXGzD0YZKcYg=="


def test_a_user_is_read_back_and_knows_the_password() -> None:
    text = str(User.new("anna", "sécret: yes", QUICK))
    (user,) = checked_users((text,))
    assert user.name == "anna"
    assert user.has("sécret: yes")
    assert not user.has("secret: yes")
    assert "yes" not in text


def test_equal_passwords_do_not_look_equal() -> None:
    assert User.new("a", "x", QUICK).digest != User.new("a", "x", QUICK).digest


@pytest.mark.parametrize(
    "text",
    [
        "anna",
        "anna:secret",
        "anna:md5:eA==:eA==",
        ":scrypt:eA==:eA==",
        "a:scrypt:?:?",
        "a:scrypt-30-8-1:eA==:eA==",
        "a:scrypt-15-99-99:eA==:eA==",
        "a:scrypt-1-1-1:eA==:eA==",
        "a:scrypt-15-8:eA==:eA==",
        "a:scrypt--15-8-3:eA==:eA==",
    ],
)
def test_what_is_no_user_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ConfigError) as error:
        User.read(text)
    assert "secret" not in str(error.value)


def test_a_name_has_no_colon() -> None:
    with pytest.raises(ConfigError):
        User.new("a:b", "x")


def test_a_line_of_before_counts_as_ever_and_people_hear_of_it() -> None:
    user = User.read(OLD)
    assert user.has("secret")
    assert not user.has("secrets")
    assert user.is_cheap
    new = str(User.new("anna", "x"))
    assert new.startswith(f"anna:{USUAL}:")
    told = told_of_cheap((OLD, new))
    assert told is not None
    assert "bert" in told
    assert "anna" not in told
    assert told_of_cheap((new,)) is None


def test_a_guess_takes_the_memory_and_the_work_that_are_advised() -> None:
    # https://cheatsheetseries.owasp.org: N = 2^15, r = 8, p = 3, or as much in another form.
    assert USUAL.work >= Cost(15, 8, 3).work
