import pytest

from gossamer.index.graph.query import EVERYTHING, Dataset


@pytest.mark.parametrize(
    ("dataset", "so"),
    [(EVERYTHING, True), (Dataset(("a:",)), False), (Dataset(named=("a:",)), False)],
)
def test_a_dataset_that_names_no_graph_is_everything(dataset: Dataset, so: bool) -> None:
    assert dataset.is_everything is so
