# SPDX-License-Identifier: EPL-2.0
"""A table of English words and how often each is used, for texts that are made up."""

from __future__ import annotations

import importlib
import pathlib

from sluice_lab.ovs import LabError

NUMBER = 10_000
"""How many words the experiments take."""


def write(file: pathlib.Path, number: int) -> None:
    """Write the most frequent words: a word, a tab and its frequency on each line."""
    try:
        wordfreq = importlib.import_module("wordfreq")
    except ModuleNotFoundError:
        raise LabError("wordfreq is missing, whose words texts are made of: tools/setup") from None
    words = wordfreq.top_n_list("en", number)
    lines = (f"{word}\t{wordfreq.word_frequency(word, 'en'):.3e}\n" for word in words)
    try:
        file.write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        raise LabError(f"{file} can't be written: {error.strerror}") from None
