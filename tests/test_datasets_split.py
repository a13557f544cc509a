"""The split into train and test."""

import numpy as np
import pandas as pd
import pytest

from ralc.datasets import split


def questions(sizes: dict[str, int]) -> pd.DataFrame:
    rows = [
        {"question_id": f"{s}-{i}", "subject": s, "answerable": i % 2 == 0}
        for s, n in sizes.items()
        for i in range(n)
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("method", ["stratified", "first"])
@pytest.mark.parametrize(
    ("count", "train"), [(10, 3), (11, 4), (14042, 4213), (11873, 3562), (817, 246), (2, 1)]
)
def test_train_is_the_ceiling_of_the_share(method: str, count: int, train: int) -> None:
    assert (split(questions({"a": count}), 0.3, method)["split"] == "train").sum() == train


def test_first_is_file_order() -> None:
    assert split(questions({"b": 4, "a": 6}), 0.3, "first")["split"].tolist() == ["train"] * 3 + ["test"] * 7


def test_strata_keep_their_share() -> None:
    table = questions({"a": 400, "b": 100, "c": 20})
    table = split(table, 0.3, seed=4)
    shares = table.assign(train=table["split"] == "train").groupby(["subject", "answerable"])["train"].mean()
    assert shares.between(0.19, 0.41).all()
    np.testing.assert_allclose(shares["a"], 0.3, atol=0.01)


def test_seed_decides_and_row_order_does_not() -> None:
    table = questions({"a": 50, "b": 50})
    first = split(table, 0.3, seed=1)["split"]
    shuffled = table.sample(frac=1, random_state=0)
    again = split(shuffled, 0.3, seed=1)["split"].sort_index()
    assert again.tolist() == first.tolist()
    assert (split(table, 0.3, seed=2)["split"] != first).any()


@pytest.mark.parametrize("fraction", [0, 1, -0.1, 1.5, float("nan")])
def test_fraction_must_lie_inside(fraction: float) -> None:
    with pytest.raises(ValueError, match="strictly between 0 and 1"):
        split(questions({"a": 10}), fraction)


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="split method 'random' is not one of stratified, first"):
        split(questions({"a": 10}), 0.3, "random")
    with pytest.raises(ValueError, match="one side would be empty"):
        split(questions({"a": 1}), 0.3)
