"""Seeds as they are typed, or as they stand in files."""

from pathlib import Path

from gossamer.errors import InputError


def seed_texts(text: str, *files: Path) -> list[str]:
    """A seed as it was typed, or those of `@FILE`, which stands in these other files."""
    if not text.startswith("@"):
        return [text]
    file = Path(text[1:])
    if file.resolve() in files:
        raise InputError(f"{file} names itself, by way of @{file}: take that line out.")
    lines = filter(None, map(str.strip, _read(file).splitlines()))
    return [each for line in lines for each in seed_texts(line, *files, file.resolve())]


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")  # as some editors begin it
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file} is not text in UTF-8 (byte {error.start}): save it as that."
        ) from None
