# SPDX-License-Identifier: EPL-2.0
"""The experiments of the multipath area (M1 to M4, SPLIT) and of the fabric, each in a module."""
