# SPDX-License-Identifier: EPL-2.0
"""The topologies of the lab, and how to ask for one by name."""

from __future__ import annotations

import dataclasses
import inspect
import json
import pathlib
import random
from collections.abc import Callable

from sluice_lab.topology import MEGABIT, Builder, Topology

WAN_FOLDER = pathlib.Path(__file__).parent / "wan"


@dataclasses.dataclass(frozen=True, kw_only=True)
class LayerRates:
    """Rates in bit/s per direction; None leaves a layer unshaped."""

    host: int | None = 10 * MEGABIT
    edge: int | None = 10 * MEGABIT
    core: int | None = 10 * MEGABIT


ALIKE = LayerRates()
FIGURE10_RATES = LayerRates(host=100 * MEGABIT, edge=10 * MEGABIT, core=100 * MEGABIT)
SEVEN_SWITCHES_RATES = LayerRates(host=None)
_WITHOUT_CORE = ("leafspine", "jellyfish", "wan")
_ONE_OF_A_KIND = ("figure10", "sevenswitches")


def fat_tree(k: int = 4, parallel: int = 1, rates: LayerRates = ALIKE) -> Topology:
    """Build a k-ary fat-tree with ``parallel`` cables between each edge and aggregation switch.

    Datapath ids read layer, pod, position: 30201 is the first edge switch (3) of pod 2; core
    switches are 10001 and up. An edge switch's uplinks come first, then its hosts.
    """
    if k < 2 or k % 2 or parallel < 1:
        raise ValueError(f"a fat-tree needs an even k and at least one cable: {k=}, {parallel=}")
    half = k // 2
    builder = Builder(f"fattree-{k}-{parallel}")
    cores = [builder.switch(f"c{i + 1}", 10_001 + i, "core") for i in range(half * half)]
    for pod in range(1, k + 1):
        lower, upper = _pod(builder, pod, half)
        for edge in lower:
            for aggregation in upper:
                builder.cable(edge, aggregation, rates.edge, parallel)
        for position, aggregation in enumerate(upper):
            for core in cores[position * half : (position + 1) * half]:
                builder.cable(aggregation, core, rates.core)
        for edge in lower:
            for _ in range(half):
                builder.host(edge, rates.host)
    return builder.build()


def _pod(builder: Builder, pod: int, size: int) -> tuple[list[str], list[str]]:
    positions = range(1, size + 1)
    lower = [builder.switch(f"e{pod}_{i}", 30_000 + 100 * pod + i, "edge") for i in positions]
    upper = [
        builder.switch(f"a{pod}_{i}", 20_000 + 100 * pod + i, "aggregation") for i in positions
    ]
    return lower, upper


def figure10(rates: LayerRates = FIGURE10_RATES, parallel: int = 2) -> Topology:
    """Build the testbed of Guillen et al. 2018, figure 10, a tenth of its rates.

    Eight hosts; edge switches a, d, g, j with two hosts each; aggregation b, c over a, d and h, i
    over g, j; cores e, f, each joined to all four. The text's "four parallel links" are read as
    four uplinks of each edge switch, two to either aggregation switch: the paths of section 4.2
    (a_1 to b_1, a_2 to b_2, a_3 to c_1, a_4 to c_2; h_1 to g_1, i_1 to g_3, h_3 to j_1, h_4 to
    j_2, i_4 to j_4) fit that reading and no other. Two entries of its one-to-one list do not fit
    the rest (h_3 to j_3, h_4 to j_4) and are taken for slips. Ports are numbered so that cable a_1
    leaves by port 1 of switch a. The paper gives no rate for hosts, whose one link carries all
    four flows: they get the rate of the core.
    """
    builder = Builder("figure10")
    layers = {"edge": "adgj", "aggregation": "bchi", "core": "ef"}
    for layer, letters in layers.items():
        for letter in letters:
            builder.switch(letter, ord(letter) - ord("a") + 1, layer)
    for edges, aggregations in (("ad", "bc"), ("gj", "hi")):
        for edge in edges:
            for aggregation in aggregations:
                builder.cable(edge, aggregation, rates.edge, parallel)
        for aggregation in aggregations:
            for core in layers["core"]:
                builder.cable(aggregation, core, rates.core)
        for edge in edges:
            builder.host(edge, rates.host)
            builder.host(edge, rates.host)
    return builder.build()


def seven_switches(rates: LayerRates = SEVEN_SWITCHES_RATES) -> Topology:
    """Build the multi-hop testbed of Aljoby et al. 2019: a tree of 1, 2 and 4 switches.

    There are two hosts at each of the four. How the paper's seven switches are joined is not told;
    in a tree there is one path between two hosts.
    """
    builder = Builder("seven-switches")
    core = builder.switch("c1", 10_001, "core")
    for pod in (1, 2):
        upper = builder.switch(f"a{pod}", 20_000 + pod, "aggregation")
        builder.cable(upper, core, rates.core)
        for place in (1, 2):
            lower = builder.switch(f"e{pod}_{place}", 30_000 + 100 * pod + place, "edge")
            builder.cable(lower, upper, rates.edge)
            builder.host(lower, rates.host)
            builder.host(lower, rates.host)
    return builder.build()


def leaf_spine(
    leaves: int = 4,
    spines: int = 2,
    hosts: int = 2,
    parallel: int = 1,
    rates: LayerRates = ALIKE,
) -> Topology:
    """Build a two-layer Clos network, ``hosts`` hosts at each leaf; its cables use ``edge``."""
    if min(leaves, spines, hosts, parallel) < 1:
        raise ValueError("a leaf-spine network needs at least one of each")
    builder = Builder(f"leafspine-{leaves}-{spines}-{parallel}")
    uppers = [builder.switch(f"s{i}", 20_000 + i, "spine") for i in range(1, spines + 1)]
    lowers = [builder.switch(f"l{i}", 30_000 + i, "leaf") for i in range(1, leaves + 1)]
    for leaf in lowers:
        for spine in uppers:
            builder.cable(leaf, spine, rates.edge, parallel)
        for _ in range(hosts):
            builder.host(leaf, rates.host)
    return builder.build()


def jellyfish(
    switches: int = 10,
    degree: int = 3,
    hosts: int = 1,
    seed: int = 1,
    rates: LayerRates = ALIKE,
) -> Topology:
    """Build a random regular graph of switches; the same seed gives the same graph.

    The construction is that of A. Singla et al., "Jellyfish: Networking Data Centers Randomly"
    (NSDI 2012): join random pairs of switches with free ports; when none is left to join, take
    out a random cable and put the switch with two free ports between. Switch cables use ``edge``.
    """
    if not 2 <= degree < switches or switches * degree % 2:
        raise ValueError(f"no regular graph of {switches} switches with {degree} cables each")
    rng = random.Random(seed)
    edges = _random_regular(switches, degree, rng)
    while not _is_connected(switches, edges):
        edges = _random_regular(switches, degree, rng)
    builder = Builder(f"jellyfish-{switches}-{degree}-{seed}")
    names = [builder.switch(f"s{i + 1}", 30_001 + i, "switch") for i in range(switches)]
    for a, b in sorted(edges):
        builder.cable(names[a], names[b], rates.edge)
    for name in names:
        for _ in range(hosts):
            builder.host(name, rates.host)
    return builder.build()


def _random_regular(n: int, degree: int, rng: random.Random) -> set[tuple[int, int]]:
    free = dict.fromkeys(range(n), degree)
    edges: set[tuple[int, int]] = set()

    def join(a: int, b: int) -> None:
        edges.add((min(a, b), max(a, b)))
        free[a] -= 1
        free[b] -= 1

    while any(free.values()):
        open_ends = [i for i in range(n) if free[i]]
        pairs = [
            (a, b)
            for i, a in enumerate(open_ends)
            for b in open_ends[i + 1 :]
            if (a, b) not in edges
        ]
        if pairs:
            join(*rng.choice(pairs))
            continue
        edges.remove(edge := rng.choice(sorted(edges)))
        for end in edge:
            free[end] += 1
    return edges


def _is_connected(n: int, edges: set[tuple[int, int]]) -> bool:
    neighbours: dict[int, list[int]] = {i: [] for i in range(n)}
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    reached, frontier = {0}, [0]
    while frontier:
        new = [b for a in frontier for b in neighbours[a] if b not in reached]
        frontier = list(dict.fromkeys(new))
        reached.update(frontier)
    return len(reached) == n


def wan(name: str = "abilene", hosts: int = 1, rates: LayerRates = ALIKE) -> Topology:
    """Build a backbone from a topohub file: a name in the ``wan`` folder, or a path to another.

    Each node becomes a switch with ``hosts`` hosts; cables use ``edge``.
    """
    path = pathlib.Path(name) if name.endswith(".json") else WAN_FOLDER / f"{name}.json"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in WAN_FOLDER.glob("*.json")))
        raise ValueError(f"no backbone {name}; there are: {known}")
    graph = json.loads(path.read_text())
    builder = Builder(f"wan-{path.stem}")
    names = {
        node["id"]: builder.switch(f"n{number}", number, "wan")
        for number, node in enumerate(graph["nodes"], start=1)
    }
    for edge in graph["edges"]:
        builder.cable(names[edge["source"]], names[edge["target"]], rates.edge)
    for switch in names.values():
        for _ in range(hosts):
            builder.host(switch, rates.host)
    return builder.build()


BY_NAME: dict[str, Callable[..., Topology]] = {
    "fattree": fat_tree,
    "figure10": figure10,
    "sevenswitches": seven_switches,
    "leafspine": leaf_spine,
    "jellyfish": jellyfish,
    "wan": wan,
}


def parse(text: str) -> Topology:
    """Build what ``fattree,4,2,core=40`` asks for: as ``build``, with the rates of layers last."""
    name, *words = text.split(",")
    places = [word for word in words if "=" not in word]
    rates = dict(word.split("=", 1) for word in words if "=" in word)
    arguments = [int(word) if word.lstrip("-").isdigit() else word for word in places]
    return build(name, *arguments, **rates)


def build(name: str, *arguments: int | str, **rates: float | str) -> Topology:
    """Build a topology of BY_NAME from its leading arguments and rates of layers.

    ``rates`` are in Mbit/s per direction, by the names of ``LayerRates``; ``full`` is as fast as
    the machine can.
    """
    if name not in BY_NAME:
        raise ValueError(f"no topology {name}; there are: {', '.join(BY_NAME)}")
    if name in _ONE_OF_A_KIND and arguments:
        raise ValueError(f"{name} takes no arguments but rates")
    parameters = inspect.signature(BY_NAME[name]).parameters
    takes = [x for x in parameters.values() if x.name != "rates"]
    numbers = [x.annotation == "int" for x in takes]
    if len(arguments) > len(takes) or any(
        number and isinstance(argument, str)
        for number, argument in zip(numbers, arguments, strict=False)
    ):
        usage = ",".join([name, *(x.name.upper() for x in takes)])
        given = ",".join(map(str, (name, *arguments)))
        raise ValueError(f"{given}: it is {usage}, with fewer of them if you like")
    layers = {layer: _bits(layer, rate, name) for layer, rate in rates.items()}
    shaped = dataclasses.replace(parameters["rates"].default, **layers)
    return BY_NAME[name](*arguments, rates=shaped)


def _bits(layer: str, rate: float | str, name: str) -> int | None:
    """Return the rate of a layer in bit/s, None for an unshaped one."""
    known = [x.name for x in dataclasses.fields(LayerRates)]
    layers = known[:-1] if name in _WITHOUT_CORE else known
    if layer not in layers:
        raise ValueError(f"{name} has no layer {layer}; it has {', '.join(layers)}")
    if rate == "full":
        return None
    try:
        bits = int(float(rate) * MEGABIT)
    except (ValueError, OverflowError):
        bits = 0
    if bits <= 0:
        raise ValueError(f"{layer}={rate}: a rate is a number of Mbit/s above 0, or full")
    return bits
