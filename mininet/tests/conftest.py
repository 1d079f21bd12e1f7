# SPDX-License-Identifier: EPL-2.0
import pytest

from sluice_lab import campaign


@pytest.fixture
def recorded(monkeypatch):
    """Rows that were recorded, by id."""
    rows = {}
    monkeypatch.setattr(campaign, "record", lambda m: rows.update({m["id"]: m}))
    return rows
