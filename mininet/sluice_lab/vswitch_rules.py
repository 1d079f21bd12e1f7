# SPDX-License-Identifier: EPL-2.0
"""A forwarder as rules for Open vSwitch, where labels alone decide.

Rules are made of a document of sluice-forwarder (models/src/main/yang), the same that the forwarder
on DPDK takes, and what travels between forwarders is the same (docs/wire/forwarder.md).

    arrive > labels > place > choose > leave

Registers say who sent a packet, its labels, stage and direction, and who gets it.
vswitch_affinity.py looks at connections besides.
"""

from __future__ import annotations

from collections.abc import Iterator

from sluice_lab.ovs import LabError
from sluice_lab.vswitch_tables import (
    FORWARD,
    PUSH_CHAIN,
    PUSH_EGRESS,
    READ_CHAIN,
    RETURN,
    TUNNEL_PORT,
    Document,
    Register,
    Table,
    flow,
)

_FIRST_TTL = 65  # of labels that are put on; whoever sends to a peer takes 1 off
_INSTANCE = 1 << 16  # hops are peers below it, instances from it on


def port_numbers(forwarder: Document) -> dict[str, int]:
    """Return the OpenFlow number of each port of a forwarder, but for that of the tunnels."""
    underlay = forwarder["underlay"]["port"]
    names = [port["name"] for port in forwarder["ports"]["port"] if port["name"] != underlay]
    return {name: number for number, name in enumerate(names, start=TUNNEL_PORT + 1)}


class Rules:
    """Flows and groups of a document, in the notation of ovs-ofctl.

    LabError if the document names a hop that it has not, if labels leave a choice, or if it needs
    what only the forwarder on DPDK can do: ask for MAC addresses, and serve a single side.
    """

    sees_connections = False

    def __init__(self, document: Document) -> None:
        self.forwarder = document["sluice-forwarder:forwarder"]
        self.flows: list[str] = []
        self.groups: list[str] = []
        self._ports = port_numbers(self.forwarder)
        self._peers = self.forwarder.get("peers", {}).get("peer", [])
        self._instances = self.forwarder.get("instances", {}).get("instance", [])
        self._chains = self.forwarder.get("chains", {}).get("chain", [])
        self._hops = {peer["name"]: n for n, peer in enumerate(self._peers, start=1)}
        self._hops |= {one["name"]: _INSTANCE + n for n, one in enumerate(self._instances)}
        self._vni_base = self.forwarder["underlay"].get("vni-base", 0)
        self._make()

    def onward(self) -> list[str]:
        """Return the actions by which a packet goes on, once its place in the chain is known."""
        return [Table.CHOOSE.resubmit()]

    def pick(self, members: list[Document], basis: int, instances: list[Document]) -> list[str]:
        """Return the actions that pick one of these members, who have weight.

        The forwarder's own name stands for the instances. ``basis`` is for a hash.
        """
        if len(members) > 1:
            names = ", ".join(member["name"] for member in members)
            raise LabError(f"labels alone can't choose between {names}; with affinity they can")
        return self.reach(members[0]["name"], basis, instances)

    def decided(self, pick: list[str]) -> list[str]:
        """Return the actions for a packet whose hop is picked by these."""
        return [*pick, Table.LEAVE.resubmit()]

    def make_more(self) -> None:
        """Make the rules of tables that labels alone don't need."""

    def add(self, table: Table, match: list[str], actions: list[str], priority: int = 100) -> None:
        """Add a flow."""
        self.flows.append(flow(table, match, actions, priority))

    def pick_any(self, members: list[Document], basis: int, instances: list[Document]) -> list[str]:
        """Return the actions that pick a member by weight; none if nobody has any."""
        heavy = [member for member in members if member["weight"]]
        return self.pick(heavy, basis, instances) if heavy else []

    def reach(self, name: str, basis: int, instances: list[Document]) -> list[str]:
        """Return the actions that make a member the hop."""
        if name == self.forwarder["name"]:
            return self.pick_any(instances, basis + 1, [])
        if name not in self._hops:
            raise LabError(f"there is no peer or instance {name}")
        return [Register.HOP.load(self._hops[name])]

    def _make(self) -> None:
        self._refuse_what_is_beyond_rules()
        for peer in self._peers:
            self._arrive_from_peer(peer)
            self._leave_to_peer(peer)
        for instance, side, direction in self._sides():
            self._arrive_from_side(instance, side, direction)
            self._leave_to_side(instance, side, 1 - direction)
        self._second_label()
        self._places()
        for chain in self._chains:
            for stage in chain["stage"]:
                if stage["number"]:
                    self._choices(chain, stage)
        self.make_more()

    def _refuse_what_is_beyond_rules(self) -> None:
        for instance in self._instances:
            if "single-side" in instance:
                raise LabError(f"{instance['name']}: rules can't serve a single-side")
        sides = [(instance["name"], side) for instance, side, _ in self._sides()]
        for name, place in [(peer["name"], peer) for peer in self._peers] + sides:
            if "mac-address" not in place:
                raise LabError(f"{name}: rules can't ask for a mac-address, so it has to be given")

    def _sides(self) -> Iterator[tuple[Document, Document, int]]:
        """Yield each interface of an instance, with the direction of what it sends."""
        for instance in self._instances:
            for name, direction in (("egress-side", FORWARD), ("ingress-side", RETURN)):
                if name in instance:
                    yield instance, instance[name], direction

    def _arrive_from_peer(self, peer: Document) -> None:
        match = [f"in_port={TUNNEL_PORT}", f"tun_src={peer['address']}"]
        match += [f"tun_id={self._vni_base:#x}/0xffffff80", "mpls", "mpls_bos=0"]
        actions = [
            Register.FROM.load(self._hops[peer["name"]]),
            f"move:NXM_NX_TUN_ID[1..6]->{Register.STAGE.bits(6)}",
            f"move:NXM_NX_TUN_ID[0]->{Register.DIRECTION.bits(1)}",
        ]
        self.add(Table.ARRIVE, match, actions + READ_CHAIN)

    def _arrive_from_side(self, instance: Document, side: Document, direction: int) -> None:
        vlan = side.get("vlan", 0)
        match = [f"in_port={self._ports[side['port']]}"]
        match += [f"dl_vlan={vlan}" if vlan else "vlan_tci=0"]
        actions = ["strip_vlan"] if vlan else []
        actions += [
            Register.FROM.load(self._hops[instance["name"]]),
            Register.DIRECTION.load(direction),
        ]
        if labels := side.get("stripped-labels"):
            actions += [
                Register.CHAIN.load(labels["chain-label"]),
                Register.EGRESS.load(labels["egress-label"]),
                Register.TTL.load(_FIRST_TTL),
                Table.PLACE.resubmit(),
            ]
            self.add(Table.ARRIVE, [*match, "ip"], actions)
        else:
            self.add(Table.ARRIVE, [*match, "mpls", "mpls_bos=0"], actions + READ_CHAIN)

    def _second_label(self) -> None:
        """Read the second label; without it the connection can be seen, at a price."""
        actions = [f"move:OXM_OF_MPLS_LABEL[]->{Register.EGRESS.bits(20)}"]
        actions += ["pop_mpls:0x0800"] if self.sees_connections else []
        self.add(Table.LABELS, ["mpls", "mpls_bos=1"], [*actions, Table.PLACE.resubmit()])

    def _places(self) -> None:
        """Find the stage of what instances sent; of what came from peers it is known."""
        content = ["ip"] if self.sees_connections else []
        self.add(Table.PLACE, [_is_from_instance(False), *content], self.onward())
        for chain in self._chains:
            numbers = {stage["service"]: stage["number"] for stage in chain["stage"]}
            known = {stage["number"] for stage in chain["stage"]}
            for instance, _, direction in self._sides():
                if instance["service"] not in numbers:
                    continue
                stage = numbers[instance["service"]] + (direction == FORWARD)
                if stage in known:
                    match = [Register.FROM.matches(self._hops[instance["name"]]), *content]
                    match += [Register.DIRECTION.matches(direction), *_of_chain(chain)]
                    self.add(Table.PLACE, match, [Register.STAGE.load(stage), *self.onward()])

    def _choices(self, chain: Document, stage: Document) -> None:
        """Choose the hop of a packet on a stage, in both directions.

        What comes from a peer goes to an instance of the next element; what comes from an instance
        to a forwarder beside that element, of which this may be one. A hash has the same basis
        both ways at an element, and another one for instances than for forwarders.
        """
        before = [s for s in chain["stage"] if s["number"] == stage["number"] - 1]
        for direction, hops, element in (
            (FORWARD, "next-hop", [stage]),
            (RETURN, "previous-hop", before),
        ):
            instances = [one for s in element for one in s.get("instance", [])]
            basis = 2 * (stage["number"] - direction)
            for is_from_instance, pick in (
                (False, self.pick_any(instances, basis + 1, [])),
                (True, self.pick_any(stage.get(hops, []), basis, instances)),
            ):
                match = [*_of_chain(chain), _is_from_instance(is_from_instance)]
                match += [Register.STAGE.matches(stage["number"])]
                match += [Register.DIRECTION.matches(direction), Register.HOP.matches(0)]
                if pick:
                    self.add(Table.CHOOSE, match, self.decided(pick))

    def _leave_to_peer(self, peer: Document) -> None:
        match = [Register.HOP.matches(self._hops[peer["name"]])]
        to_peer = [
            "dec_mpls_ttl",
            *PUSH_CHAIN,
            f"set_field:{peer['address']}->tun_dst",
            f"load:{self._vni_base}->NXM_NX_TUN_ID[]",
            f"move:{Register.STAGE.bits(6)}->NXM_NX_TUN_ID[1..6]",
            f"move:{Register.DIRECTION.bits(1)}->NXM_NX_TUN_ID[0]",
            f"output:{TUNNEL_PORT}",
        ]
        self.add(Table.LEAVE, [*match, "ip"], PUSH_EGRESS + to_peer)
        if not self.sees_connections:
            self.add(Table.LEAVE, [*match, "mpls"], to_peer)

    def _leave_to_side(self, instance: Document, side: Document, direction: int) -> None:
        out = [f"set_field:{side['mac-address']}->eth_dst"]
        if vlan := side.get("vlan", 0):
            out += ["push_vlan:0x8100", f"set_field:{0x1000 | vlan}->vlan_vid"]
        # a packet may go back to the port it came from, to another VLAN there
        out += ["load:0->NXM_OF_IN_PORT[]", f"output:{self._ports[side['port']]}"]
        match = [Register.HOP.matches(self._hops[instance["name"]])]
        match += [Register.DIRECTION.matches(direction)]
        is_stripped = "stripped-labels" in side
        whole = [] if is_stripped else PUSH_EGRESS + PUSH_CHAIN
        self.add(Table.LEAVE, [*match, "ip"], whole + out)
        if not self.sees_connections:
            half = ["pop_mpls:0x0800"] if is_stripped else PUSH_CHAIN
            self.add(Table.LEAVE, [*match, "mpls"], half + out)


def _of_chain(chain: Document) -> list[str]:
    return [
        Register.CHAIN.matches(chain["chain-label"]),
        Register.EGRESS.matches(chain["egress-label"]),
    ]


def _is_from_instance(is_instance: bool) -> str:
    return Register.FROM.matches(_INSTANCE if is_instance else 0, _INSTANCE)
