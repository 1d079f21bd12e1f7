# SPDX-License-Identifier: EPL-2.0
"""What no way of steering can beat: fluid multi-commodity flow, solved as linear programs.

Flows may be split at will over all paths, so every real steering does at most as well. Rates are
in bit/s over whole frames, as links count them.
"""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Sequence

import numpy
from scipy import optimize, sparse

from sluice_lab.topology import Topology

_RELATIVE_TOLERANCE = 1e-6


@dataclasses.dataclass(frozen=True, kw_only=True)
class Commodity:
    """Traffic from any of ``sources`` to any of ``targets``, split among them at will.

    Its rate is ``fixed_bps`` plus ``weight`` times the common rate that is sought.
    """

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    weight: float = 1.0
    fixed_bps: float = 0.0


class UnservableError(Exception):
    """The fixed rates alone do not fit, or a target can't be reached."""


def concurrent_rate_bps(topology: Topology, commodities: Sequence[Commodity]) -> float:
    """Return the largest common rate at which all commodities fit at once."""
    return _solve(_Problem(topology, commodities))


def makespan_bound_s(
    topology: Topology,
    transfers: Sequence[Commodity],
    background: Sequence[Commodity],
    size_bytes: int,
    payload_share: float,
) -> float:
    """Return a lower bound on when the last of equal transfers ends, in seconds.

    A transfer of weight w stands for w times ``size_bytes`` of payload. Whatever is done over time,
    the mean rates over the makespan T satisfy all capacities, and each transfer's mean is its size
    over T; so T is at least size over the largest common rate.
    """
    rate_bps = concurrent_rate_bps(topology, [*transfers, *background])
    return size_bytes * 8 / (rate_bps * payload_share)


def max_min_rates_bps(topology: Topology, commodities: Sequence[Commodity]) -> list[float]:
    """Return the max-min fair rates: no rate can grow without a smaller or equal one shrinking.

    Raises all rates together until some are stuck (each is tried alone), fixes those, goes on.
    """
    rates: dict[int, float] = {}
    tolerance = 2 * len(commodities) * _RELATIVE_TOLERANCE  # the others gave way by as much
    while len(rates) < len(commodities):
        level = _solve(_Problem(topology, _levelled(commodities, rates, 0.0)))
        stuck = []
        for index in range(len(commodities)):
            if index not in rates:
                alone = _levelled(commodities, rates, level * (1 - _RELATIVE_TOLERANCE), index)
                if _solve(_Problem(topology, alone)) <= level * tolerance:
                    stuck.append(index)
        if not stuck:
            raise ArithmeticError("the solver's tolerance hides which rate is stuck")
        rates.update(dict.fromkeys(stuck, level))
    return [rates[index] for index in range(len(commodities))]


def _levelled(
    commodities: Sequence[Commodity], rates: dict[int, float], level: float, only: int | None = None
) -> list[Commodity]:
    """Fix known rates; the rest get ``level`` and the common rate, or ``only`` that one does."""
    return [
        dataclasses.replace(
            commodity,
            fixed_bps=rates.get(index, level),
            weight=0.0 if index in rates or only not in (None, index) else 1.0,
        )
        for index, commodity in enumerate(commodities)
    ]


class _Problem:
    """Rows and columns of the program; column 0 is the common rate, then arcs by commodity."""

    def __init__(self, topology: Topology, commodities: Sequence[Commodity]) -> None:
        capacity: dict[tuple[str, str], float] = collections.defaultdict(float)
        for arc in topology.arcs():
            capacity[arc.source, arc.target] += arc.rate_bps
        self.arcs = list(capacity.items())
        self.nodes = sorted({node for ends, _ in self.arcs for node in ends})
        self.commodities = commodities
        finite = [rate for _, rate in self.arcs if rate != float("inf")]
        self.scale = max(finite, default=1.0)  # rates near 1 suit the solver's tolerances


def _solve(problem: _Problem) -> float:
    """Return the largest common rate, in bit/s."""
    below = [_capacity_rows(problem), _slack_rows(problem)]
    equal = [_balance_rows(problem), _demand_rows(problem)]
    columns = 1 + len(problem.commodities) * len(problem.arcs)
    cost = numpy.zeros(columns)
    cost[0] = -1.0
    answer = optimize.linprog(
        cost,
        A_ub=_matrix(below, columns),
        b_ub=[bound for rows in below for _, bound in rows],
        A_eq=_matrix(equal, columns),
        b_eq=[bound for rows in equal for _, bound in rows],
        method="highs",
    )
    if answer.status == 3:
        raise UnservableError("nothing limits the rate: no link on the way is shaped")
    if not answer.success:
        raise UnservableError(answer.message)
    return float(-answer.fun * problem.scale)


_Row = tuple[dict[int, float], float]


def _matrix(groups: list[list[_Row]], columns: int) -> sparse.csr_matrix:
    rows = [row for group in groups for row, _ in group]
    entries = [(i, j, value) for i, row in enumerate(rows) for j, value in row.items()]
    i, j, values = zip(*entries, strict=True)
    return sparse.csr_matrix((values, (i, j)), shape=(len(rows), columns))


def _column(problem: _Problem, commodity: int, arc: int) -> int:
    return 1 + commodity * len(problem.arcs) + arc


def _capacity_rows(problem: _Problem) -> list[_Row]:
    return [
        (
            {_column(problem, c, a): 1.0 for c in range(len(problem.commodities))},
            rate / problem.scale,
        )
        for a, (_, rate) in enumerate(problem.arcs)
        if rate != float("inf")
    ]


def _outflow(problem: _Problem, commodity: int, node: str) -> dict[int, float]:
    row = {}
    for a, ((source, target), _) in enumerate(problem.arcs):
        if node in (source, target):
            row[_column(problem, commodity, a)] = 1.0 if node == source else -1.0
    return row


def _balance_rows(problem: _Problem) -> list[_Row]:
    """State that a node which is no end of a commodity passes on all that it gets of it."""
    return [
        (_outflow(problem, c, node), 0.0)
        for c, commodity in enumerate(problem.commodities)
        for node in problem.nodes
        if node not in commodity.sources + commodity.targets
    ]


def _slack_rows(problem: _Problem) -> list[_Row]:
    """State that a source takes nothing in, and that a target gives nothing out."""
    rows: list[_Row] = []
    for c, commodity in enumerate(problem.commodities):
        rows += [
            ({column: -value for column, value in _outflow(problem, c, node).items()}, 0.0)
            for node in commodity.sources
        ]
        rows += [(_outflow(problem, c, node), 0.0) for node in commodity.targets]
    return rows


def _demand_rows(problem: _Problem) -> list[_Row]:
    rows: list[_Row] = []
    for c, commodity in enumerate(problem.commodities):
        row: dict[int, float] = collections.defaultdict(float)
        for node in commodity.sources:
            for column, value in _outflow(problem, c, node).items():
                row[column] += value
        row[0] = -commodity.weight
        rows.append((row, commodity.fixed_bps / problem.scale))
    return rows
