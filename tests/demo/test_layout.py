from hypothesis import given
from hypothesis import strategies as st

from gossamer.demo.layout import Layout


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    pages = draw(st.integers(10, 20_000))
    return Layout(pages, draw(st.integers(1, min(pages, 500))))


@given(layouts())
def test_every_host_has_a_page_and_together_they_have_all(layout: Layout) -> None:
    sizes = [layout.size(host) for host in range(layout.hosts)]
    assert min(sizes) >= 1
    assert sum(sizes) == layout.pages


@given(layouts(), st.data())
def test_a_page_lives_on_the_host_whose_run_holds_it(layout: Layout, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, layout.pages - 1))
    host = layout.host(number)
    assert layout.starts[host] <= number < layout.starts[host + 1]


def test_some_hosts_are_large_and_many_are_small() -> None:
    layout = Layout(1_000_000, 10_000)
    sizes = sorted((layout.size(host) for host in range(layout.hosts)), reverse=True)
    assert sizes[0] > 9_000
    assert sizes[5_000] < 100
    assert sum(sizes[:2_500]) > sum(sizes[2_500:]) * 0.9
