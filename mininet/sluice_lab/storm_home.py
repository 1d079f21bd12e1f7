# SPDX-License-Identifier: EPL-2.0
"""Folders that look like Storm's own to what runs there, and how Java is started in one."""

from __future__ import annotations

import os
import pathlib
from xml.sax.saxutils import quoteattr

from sluice_lab.storm_keys import LIGHT_JAVA

BUILT = pathlib.Path(__file__).parents[2] / "engines" / "storm-home" / "target" / "home"
_LOG4J = """<Configuration><Appenders>
<File name="file" fileName={file}><PatternLayout pattern="%d %-5p %c{{1}} %m%n"/></File>
</Appenders><Loggers><Root level="info"><AppenderRef ref="file"/></Root></Loggers></Configuration>
"""


def names_file(folder: pathlib.Path) -> pathlib.Path:
    """Return the file of all names that processes of a Storm know."""
    return folder / "hosts"


def names_option(folder: pathlib.Path) -> str:
    """Return the option that has Java ask nobody for names: no answer comes to these hosts."""
    return f"-Djdk.net.hosts.file={names_file(folder)}"


def versions() -> dict[str, str]:
    """Return the versions of Storm and of the Java that runs it."""
    (client,) = (BUILT / "lib").glob("storm-client-*.jar")
    release = pathlib.Path(os.environ["SLUICE_JAVA_HOME"], "release").read_text()
    lines = dict(line.split("=", 1) for line in release.splitlines() if "=" in line)
    return {
        "storm": client.stem.removeprefix("storm-client-"),
        "java": lines["JAVA_VERSION"].strip('"'),
    }


def lay_out(folder: pathlib.Path, name: str) -> pathlib.Path:
    """Make the folder of one process of a Storm whose files are in ``folder``."""
    home = folder / name
    for part in ("conf", "log4j2", "logs"):
        (home / part).mkdir(parents=True, exist_ok=True)
    for link, target in {"lib": "lib", "lib-worker": "lib", "extlib": "extlib"}.items():
        if not (home / link).exists():
            (home / link).symlink_to(BUILT / target)
    for kind, file in {"cluster": "daemon", "worker": "worker-${sys:worker.port}"}.items():
        text = _LOG4J.format(file=quoteattr(f"{home}/logs/{file}.log"))
        (home / "log4j2" / f"{kind}.xml").write_text(text)
    return home


def java(
    folder: pathlib.Path, name: str, *options: str, jars: tuple[pathlib.Path, ...] = ()
) -> list[str]:
    """Return the command line of Java in a folder that is laid out; a class follows."""
    home = folder / name
    return [
        f"{os.environ['SLUICE_JAVA_HOME']}/bin/java",
        *LIGHT_JAVA,
        f"-Dstorm.home={home}",
        f"-Dstorm.log.dir={home}/logs",
        f"-Dlog4j.configurationFile={home}/log4j2/cluster.xml",
        names_option(folder),
        *options,
        "-cp",
        ":".join([f"{home}/conf", f"{home}/lib/*", f"{home}/extlib/*", *map(str, jars)]),
    ]
