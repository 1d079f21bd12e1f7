# SPDX-License-Identifier: EPL-2.0
"""sluice-lab: networks, experiments and a demo for Sluice on one machine."""

from __future__ import annotations

import argparse
import dataclasses
import logging
import os
import pathlib
import signal
import sys
from collections.abc import Callable, Sequence
from typing import TypeAlias

from sluice_lab import (
    bandwidth_demo,
    campaign,
    demo,
    plots,
    readiness,
    state,
    storage,
    storm_commands,
    stream_figures,
    topologies,
)
from sluice_lab import words as word_table
from sluice_lab.baselines import Baseline, install
from sluice_lab.bounds import UnservableError
from sluice_lab.experiments import (
    addresses,
    completion,
    failover,
    fairness,
    meter_delay,
    metering,
    random_events,
    reaction,
    regeneration,
    robustness,
    shared_rows,
    split,
    stream_rows,
    streams,
    throughput,
    validation,
    virtual_address,
)
from sluice_lab.experiments.streams import Sharing, Streams
from sluice_lab.multipath import Strategy
from sluice_lab.net import Datapath, Endpoint, Net, Settings
from sluice_lab.ovs import LabError
from sluice_lab.restconf import DEFAULT_URL, ControllerError
from sluice_lab.steering import Lab, Policy
from sluice_lab.storage import StoredObject

_TOPOLOGY_HELP = (
    "fattree,K,PARALLEL | figure10 | sevenswitches | leafspine,LEAVES,SPINES,HOSTS,PARALLEL | "
    "jellyfish,SWITCHES,DEGREE,HOSTS,SEED | wan,NAME,HOSTS; then rates in Mbit/s, or full for "
    "unshaped ones: host=, edge= (between switches), core= (fattree, figure10 and sevenswitches)"
)

_Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

EXPERIMENTS: dict[str, tuple[object, Callable[..., None]]] = {
    "M1": (throughput.ONE_TO_ONE, throughput.run),
    "M2": (throughput.ONE_TO_MANY, throughput.run),
    "M3": (failover.LOCAL_REPAIR, failover.run_local_repair),
    "M3-optimum": (failover.NEW_OPTIMUM, failover.run_optimum),
    "M4": (completion.DEFAULT, completion.run),
    "B1-tt": (streams.TRENDING_TOPICS, shared_rows.run),
    "B1-ti": (streams.TRUCKING_IOT, shared_rows.run),
    "B1-interval": (streams.INTERVALS, stream_rows.run_intervals),
    "B1-seeds": (streams.PLACEMENTS, stream_rows.run_placements),
    "B3-meter": (meter_delay.DEFAULT, meter_delay.run),
    "B4": (fairness.DEFAULT, fairness.run),
    "METER-TCP": (metering.TCP, metering.run_tcp),
    "METER-TCP-RTT": (metering.LONG_TCP, metering.run_tcp),
    "METER-UDP": (metering.UDP, metering.run_udp),
    "REGENERATION": (regeneration.DEFAULT, regeneration.run),
    "FRAGMENTS": (virtual_address.FRAGMENTS, virtual_address.run_fragments),
    "REFUSED": (virtual_address.REFUSALS, virtual_address.run_refusals),
    "SPLIT": (split.DEFAULT, split.run),
    "MOVE": (addresses.MOVES, addresses.run_moves),
    "FORGE": (addresses.FORGERIES, addresses.run_forgeries),
    "EVENTS": (random_events.DEFAULT, random_events.run),
    "TOPOLOGY": (reaction.DISCOVERY, reaction.run_discovery),
    "PORTDOWN": (reaction.PORT_DOWN, reaction.run_port_down),
    "INSTALL100": (reaction.INSTALL, reaction.run_install),
    "MALFORMED-5XX": (robustness.DEFAULT, robustness.run),
    "VALIDATE": (validation.DEFAULT, validation.run),
}

STREAMS = {name: one for name, (one, _) in EXPERIMENTS.items() if isinstance(one, Streams)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; return the exit status."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.INFO,
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
    )
    if options.needs_root and os.geteuid():
        print("sluice-lab: this needs root, for networks and what runs on them", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # end as tidily as by Ctrl-C
    try:
        options.act(options)
    except (LabError, ControllerError, UnservableError, ValueError) as error:
        print(f"sluice-lab: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print("sluice-lab: stopped; nothing is left running", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="sluice-lab", description=__doc__)
    parser.add_argument("-v", "--verbose", action="store_true", help="say more")
    _add_commands(parser.add_subparsers(required=True, metavar="COMMAND"), _common_options())
    return parser


def _add_commands(commands: _Commands, common: argparse.ArgumentParser) -> None:

    def command(
        name: str,
        act: Callable[[argparse.Namespace], None],
        text: str,
        *,
        root: bool = True,
        network: bool = True,
    ) -> argparse.ArgumentParser:
        added = commands.add_parser(
            name, help=text, description=text, parents=[common] if root and network else []
        )
        added.set_defaults(act=act, needs_root=root)
        return added

    topo = command("topo", _topo, "print a topology: switches, ports, rates", root=False)
    topo.add_argument("topology", help=_TOPOLOGY_HELP)

    up = command("up", _up, "bring a topology up and give Mininet's prompt")
    up.add_argument("topology", help=_TOPOLOGY_HELP)
    up.add_argument(
        "--baseline", type=Baseline, choices=list(Baseline), help="forward without a controller"
    )
    up.add_argument(
        "--strategy",
        type=Strategy,
        choices=list(Strategy),
        default=Strategy.JOINT,
        help="of the controller, for all traffic (%(default)s)",
    )

    shown = command("demo", _demo, "read a real object by single path, ECMP and Sluice (2 min)")
    shown.add_argument(
        "--policies", type=_policies, help="comma-separated, for instance single,ecmp"
    )

    command(
        "demo-bandwidth", _demo_bandwidth, "run Apache Storm under TCP and under Sluice (5 min)"
    )

    storm_commands.add(command, _lab, _TOPOLOGY_HELP)

    run = command("run", _run, "run an experiment, store its samples, record its figures")
    _add_run_options(run)

    plot = command("plot", _plot, "draw an experiment's figures from its samples", root=False)
    plot.add_argument("experiment", help=", ".join([*plots.FIGURES, *STREAMS]))

    transfer = command("transfer", _transfer, "read an erasure-coded object from HTTP servers")
    _add_transfer_options(transfer)

    table = command("words", _write_words, "write the words that Trending Topics takes", root=False)
    _add_table_options(table)

    clean = command("clean", _clean, "remove what dead runs left; nothing else is touched")
    clean.add_argument("--all", action="store_true", help="end living runs too")


def _add_transfer_options(transfer: argparse.ArgumentParser) -> None:
    transfer.add_argument("--policy", type=Policy, choices=list(Policy), default=Policy.SLUICE)
    transfer.add_argument("--bytes", type=int, default=StoredObject.size_bytes)
    transfer.add_argument("--seed", type=int, default=1)


def _add_table_options(table: argparse.ArgumentParser) -> None:
    number = word_table.NUMBER
    table.add_argument("file", type=pathlib.Path)
    table.add_argument("--number", type=int, default=number, help="of words (%(default)s)")


def _add_run_options(run: argparse.ArgumentParser) -> None:
    run.add_argument("experiment", choices=EXPERIMENTS)
    run.add_argument("--fresh", action="store_true", help="drop stored samples first")
    run.add_argument(
        "--runs", type=int, metavar="N", help="repetitions, seeds of M4, or placements of B1-seeds"
    )
    run.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="of EVENTS: repeat the run with that seed up to the first failure, and store nothing",
    )
    run.add_argument(
        "--policies",
        type=_policies,
        help="comma-separated, ours first; of B1: sluice,app-aware,tcp,tcp-pairs,tcp-defaults, "
        "meters",
    )
    run.add_argument(
        "--variants",
        type=_words,
        help="of M4: augmented,plain; of SPLIT: connections,slots; of EVENTS: leafspine,fattree; "
        "of B1: uplink-10,multihop-20,uplink-free,multihop-free; of B1-interval: uplink-10-5",
    )


def _common_options() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    group = common.add_argument_group("network and controller")
    group.add_argument("--prefix", default="sl", help="begins every name we take (%(default)s)")
    group.add_argument("--datapath", type=Datapath, choices=list(Datapath), default=Datapath.USER)
    group.add_argument("--url", default=DEFAULT_URL, help="RESTCONF root (%(default)s)")
    group.add_argument("--user", default="admin", help="its password: SLUICE_PASSWORD (admin)")
    group.add_argument(
        "--openflow",
        type=_endpoint,
        default="127.0.0.1:6653",
        metavar="ADDRESS:PORT",
        help="where the controller awaits switches (%(default)s)",
    )
    return common


def _policies(text: str) -> tuple[str, ...]:
    known = [*Policy, *(sharing for sharing in Sharing if sharing.value != Policy.SLUICE)]
    if not set(words := _words(text)) <= set(known):
        raise argparse.ArgumentTypeError(f"{text!r}; there are: {', '.join(known)}")
    return words


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _endpoint(text: str) -> Endpoint:
    address, _, port = text.rpartition(":")
    if not address or not port.isdigit():
        raise argparse.ArgumentTypeError(f"{text} is not ADDRESS:PORT")
    return Endpoint(address, int(port))


def _lab(options: argparse.Namespace) -> Lab:
    return Lab(
        settings=Settings(prefix=options.prefix, datapath=options.datapath),
        url=options.url,
        user=options.user,
        password=os.environ.get("SLUICE_PASSWORD", "admin"),
        endpoint=options.openflow,
    )


def _topo(options: argparse.Namespace) -> None:
    topology = topologies.parse(options.topology)
    for switch in topology.switches:
        print(f"{switch.name:<8} {switch.id:<16} {switch.layer}")
    for host in topology.hosts:
        print(f"{host.name:<8} {host.address:<16} {host.port.switch} port {host.port.number}")
    for cable in topology.cables:
        rate = "unshaped" if cable.rate_bps is None else f"{cable.rate_bps} bit/s"
        ends = [f"{end.switch} port {end.number}" for end in (cable.a, cable.b)]
        print(f"{ends[0]} -- {ends[1]}: {rate}")


def _up(options: argparse.Namespace) -> None:
    lab = _lab(options)
    with Net(topologies.parse(options.topology), lab.settings) as net:
        if options.baseline:
            install(net, options.baseline)
        else:
            readiness.bring_up(net, lab.controller(), options.strategy, lab.endpoint)
        net.interact()


def _demo(options: argparse.Namespace) -> None:
    chosen = demo.Demo()
    if options.policies:
        chosen = dataclasses.replace(chosen, policies=options.policies)
    print(demo.run(chosen, _lab(options)))


def _demo_bandwidth(options: argparse.Namespace) -> None:
    print(bandwidth_demo.run(bandwidth_demo.DEMO, _lab(options)))


def _run(options: argparse.Namespace) -> None:
    parameters, run = EXPERIMENTS[options.experiment]
    changes: dict[str, object] = {}
    known = {field.name for field in dataclasses.fields(parameters)}  # type: ignore[arg-type]
    if options.runs:
        changes["runs" if "runs" in known else "seeds"] = options.runs
    if options.seed is not None:
        if "seed" not in known:
            raise ValueError(f"{options.experiment} has no run that could be repeated by its seed")
        changes["seed"] = options.seed
    if options.policies:
        if "policies" not in known:
            raise ValueError(f"{options.experiment} has no choice of policies")
        changes["policies"] = options.policies
    if options.variants:
        variants = getattr(parameters, "variants", ())
        if not set(options.variants) <= set(variants):
            named = f": {', '.join(variants)}" if variants else ""
            raise ValueError(f"{options.experiment} has no such variants{named}")
        changes["variants"] = options.variants
    if options.fresh:
        campaign.forget(options.experiment)
    run(dataclasses.replace(parameters, **changes), _lab(options))  # type: ignore[type-var]
    if options.experiment in (*plots.FIGURES, *STREAMS):
        _draw(options.experiment, out=campaign.RAW / options.experiment)


def _transfer(options: argparse.Namespace) -> None:
    stored = StoredObject(size_bytes=options.bytes, seed=options.seed)
    outcome = storage.transfer(stored, demo.topology(), options.policy, _lab(options))
    print(
        f"{outcome['bytes']} bytes in {outcome['seconds']:.2f} s, "
        f"{outcome['goodput_bps'] / 1e6:.1f} Mbit/s, checksum verified; "
        f"placing took {outcome['placing_s'] * 1e3:.0f} ms"
    )


def _plot(options: argparse.Namespace) -> None:
    if options.experiment not in (known := [*plots.FIGURES, *STREAMS]):
        raise LabError(f"no figure of {options.experiment}; there are: {', '.join(known)}")
    is_recorded = options.experiment != demo.NAME
    for file in _draw(options.experiment, None if is_recorded else campaign.RAW / demo.NAME):
        print(file)


def _draw(experiment: str, out: pathlib.Path | None = None) -> list[pathlib.Path]:
    if experiment in STREAMS:
        return stream_figures.draw(STREAMS[experiment], out=out)
    return plots.draw(experiment, out=out)


def _write_words(options: argparse.Namespace) -> None:
    word_table.write(options.file, options.number)


def _clean(options: argparse.Namespace) -> None:
    gone = state.clean(also_alive=options.all)
    for record in gone:
        print(f"removed what {record.prefix!r} left: {len(record.bridges)} bridges and their ports")
    if not gone:
        print("nothing to remove")


if __name__ == "__main__":
    raise SystemExit(main())
