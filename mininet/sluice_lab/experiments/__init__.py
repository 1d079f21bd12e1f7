# SPDX-License-Identifier: EPL-2.0
"""The experiments M1 to M4 of the multipath area, one module each."""
