from gossamer.politeness.elsewhere import used_up


def test_it_names_the_site_the_number_and_the_key() -> None:
    said = used_up("a.test", 1_000)
    assert said.startswith("a.test has caused the 1,000 requests")
    assert said.endswith("(budget.requests_elsewhere)")
