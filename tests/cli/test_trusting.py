from pathlib import Path

from gossamer.cli.trusting import ways


def test_every_way_names_the_certificate_or_needs_no_name() -> None:
    told = ways(Path("/data/ca/ca.pem"), "127.0.0.1:8718")
    lines = [what for _, rows in told for _, what in rows]
    without = [line for line in lines if "/data/ca/ca.pem" not in line]
    assert [line.split(",")[0] for line in without] == ["Settings", "take what the system trusts"]
    assert not [line for line in lines if "{" in line]
    assert "curl --cacert /data/ca/ca.pem -x http://127.0.0.1:8718 https://example.org/" in lines


def test_a_name_with_blanks_is_quoted() -> None:
    told = ways(Path("/my data/ca.pem"), "127.0.0.1:8718")
    assert "curl --cacert '/my data/ca.pem' " in told[0][1][0][1]
