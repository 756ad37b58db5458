from gossamer import errors


def test_whatever_a_user_can_cause_is_one_kind_of_error() -> None:
    assert issubclass(errors.ConfigError, errors.GossamerError)
    assert issubclass(errors.DataFolderError, errors.GossamerError)
