from gossamer.fetch.ports import refused_port


def test_ports_of_the_web_are_open_and_those_of_other_protocols_are_not() -> None:
    for port in (80, 81, 443, 591, 3000, 5000, 8000, 8008, 8080, 8443, 8888, 9000, 65535):
        assert refused_port("a.org", port) is None
    for port in (21, 22, 25, 110, 143, 161, 587, 993, 4190, 5060, 6667, 6679, 10080):
        no = refused_port("a.org", port)
        assert no is not None
        assert no.why.startswith(f"Port {port} of a.org is for another protocol")
