"""Commands of this process share their applications: an answer depends on nothing that was asked before."""

from collections.abc import Iterator
from functools import cache

import pytest

from service.app import create_app


@pytest.fixture(scope="package", autouse=True)
def _one_application_for_each_setting() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.cli.client.create_app", cache(create_app))
        yield
