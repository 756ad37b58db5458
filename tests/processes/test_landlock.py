import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.processes.landlock import (
    IOCTL_DEV,
    READ,
    TRUNCATE,
    add_rights,
    handled_rights,
    landlock_version,
)


def test_an_older_kernel_is_asked_for_what_it_knows() -> None:
    assert handled_rights(0) == 0
    assert handled_rights(1) == 0x1FFF
    assert handled_rights(2) == 0x3FFF
    assert not handled_rights(2) & TRUNCATE
    assert handled_rights(3) & TRUNCATE
    assert not handled_rights(4) & IOCTL_DEV
    assert handled_rights(5) == handled_rights(99) == 0xFFFF


def test_rights_of_one_path_add_up() -> None:
    assert add_rights([(Path("/a"), 1), (Path("/b"), 2), (Path("/a"), 4)]) == {
        Path("/a"): 5,
        Path("/b"): 2,
    }


@pytest.mark.skipif(not landlock_version(), reason="needs Landlock: the kernel has none")
@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6, 7])
def test_files_are_guarded_as_an_older_kernel_would(tmp_path: Path, version: int) -> None:
    if version > landlock_version():
        pytest.skip(f"needs Landlock {version}: an older kernel")
    for name in ("allowed", "hidden"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    run = f"""
from pathlib import Path
from gossamer.processes import landlock
from gossamer.processes.seccomp import forbid_new_privileges
folder = Path({str(tmp_path)!r})
landlock.landlock_version = lambda: {version}
forbid_new_privileges()
print(landlock.restrict_files({{folder / "allowed": {READ}, folder / "none": {READ}}}))
print((folder / "allowed" / "file").read_text())
for attempt in ((folder / "hidden" / "file").read_text, (folder / "allowed" / "file").unlink):
    try:
        attempt()
    except PermissionError:
        print("refused")
"""
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, check=True)
    assert done.stdout.decode().split() == [str(version), "allowed", "refused", "refused"]
