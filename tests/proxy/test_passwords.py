import pytest

from gossamer.errors import ConfigError
from gossamer.proxy.passwords import User, checked_users


def test_a_user_is_read_back_and_knows_the_password() -> None:
    text = str(User.new("anna", "sécret: yes"))
    (user,) = checked_users((text,))
    assert user.name == "anna"
    assert user.has("sécret: yes")
    assert not user.has("secret: yes")
    assert "yes" not in text


def test_equal_passwords_do_not_look_equal() -> None:
    assert User.new("a", "x").digest != User.new("a", "x").digest


@pytest.mark.parametrize(
    "text", ["anna", "anna:secret", "anna:md5:eA==:eA==", ":scrypt:eA==:eA==", "a:scrypt:?:?"]
)
def test_what_is_no_user_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ConfigError) as error:
        User.read(text)
    assert "secret" not in str(error.value)


def test_a_name_has_no_colon() -> None:
    with pytest.raises(ConfigError):
        User.new("a:b", "x")
