# SPDX-License-Identifier: EPL-2.0
"""The experiments of the fabric, multipath (M1 to M4, SPLIT) and bandwidth areas, by module."""
