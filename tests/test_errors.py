from gossamer import errors


def test_whatever_a_user_can_cause_is_one_kind_of_error() -> None:
    assert issubclass(errors.ConfigError, errors.GossamerError)
    assert issubclass(errors.DataFolderError, errors.GossamerError)


def test_want_of_room_is_an_error_of_the_archive() -> None:
    assert issubclass(errors.ArchiveFullError, errors.ArchiveError)
    assert issubclass(errors.ArchiveError, errors.GossamerError)
