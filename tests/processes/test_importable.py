import sys
from pathlib import Path

from gossamer.processes.importable import outside, python_rights
from gossamer.processes.landlock import READ, READ_DIR


def a_tree(root: Path, *files: str) -> Path:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    return root.resolve()


def below(root: Path, path: list[str], hidden: tuple[Path, ...] = ()) -> dict[str, int]:
    rights: dict[str, int] = {}
    for place, bits in python_rights(path, hidden):
        if place.is_relative_to(root):
            name = str(place.relative_to(root))
            rights[name] = rights.get(name, 0) | bits
    return rights


def test_of_a_project_only_what_can_be_imported_is_read(tmp_path: Path) -> None:
    root = a_tree(
        tmp_path,
        "module.py",
        "package/__init__.py",
        "space/package/__init__.py",
        "plain/module.py",
        "thing-1.0.dist-info/METADATA",
        "secrets.txt",
        ".ssh/key.py",
        "data/frontier.db",
        "empty/deep/er/module.py",
    )
    read = below(root, [str(root)])
    assert read.pop(".") == READ_DIR
    assert read == dict.fromkeys(
        ["module.py", "package", "space", "plain", "thing-1.0.dist-info"], READ
    )


def test_a_folder_without_modules_is_not_even_listed(tmp_path: Path) -> None:
    root = a_tree(tmp_path, "letter.txt", "Documents/letter.txt")
    assert below(root, [str(root)]) == {}


def test_where_packages_are_installed_all_is_read(tmp_path: Path) -> None:
    root = a_tree(tmp_path, "site-packages/thing/data/table.bin", "site-packages/thing.libs/a.so")
    read = below(root, [str(root / "site-packages")])
    assert read["site-packages"] & READ == READ


def test_what_is_hidden_is_left_out(tmp_path: Path) -> None:
    root = a_tree(tmp_path, "a/x", "b/hidden/frontier.db", "b/c/y", "z")
    (root / "link").symlink_to(root / "b" / "hidden")
    (root / "away").symlink_to("/etc")
    assert dict(outside(root, [root / "b" / "hidden"])) == {
        root: READ_DIR,
        root / "a": READ,
        root / "b": READ_DIR,
        root / "b" / "c": READ,
        root / "z": READ,
    }
    assert dict(outside(root, [root])) == {}
    assert dict(outside(root / "a", [root])) == {root / "a": READ}


def test_python_itself_is_read() -> None:
    rights = dict(python_rights(sys.path, []))
    for module in ("json", "gossamer", "pyoxigraph"):
        place = Path(str(__import__(module).__file__)).resolve()
        assert any(
            place.is_relative_to(each) for each, bits in rights.items() if bits & READ == READ
        )
