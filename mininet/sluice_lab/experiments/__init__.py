# SPDX-License-Identifier: EPL-2.0
"""The experiments of the multipath area, one module each."""
