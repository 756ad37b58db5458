import pytest
from tests.cli.conftest import Gossamer


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_asks_gossamer_itself(gossamer: Gossamer, shell: str) -> None:
    done = gossamer("completion", shell)
    assert done.returncode == 0
    assert f"_GOSSAMER_COMPLETE={shell}_complete" in done.stdout


def test_commands_and_options_complete(gossamer: Gossamer) -> None:
    asked = {"_GOSSAMER_COMPLETE": "bash_complete", "COMP_CWORD": "1"}
    assert "plain,config" in gossamer(**asked, COMP_WORDS="gossamer con").stdout
    asked["COMP_CWORD"] = "2"
    assert "plain,--json" in gossamer(**asked, COMP_WORDS="gossamer config --j").stdout
