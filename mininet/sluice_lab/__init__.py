# SPDX-License-Identifier: EPL-2.0
"""Topologies, traffic and experiments for Sluice, on Mininet."""
