import pytest
from running.serving import serving


@pytest.fixture
def here(tmp_path):
    with serving(tmp_path) as found:
        yield found
