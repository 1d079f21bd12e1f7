# SPDX-License-Identifier: EPL-2.0
"""The experiments that need a network: fabric, multipath, bandwidth, bus, forwarder, by module."""
