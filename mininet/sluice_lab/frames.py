# SPDX-License-Identifier: EPL-2.0
"""Ethernet frames by which hosts ask for addresses and announce their own: ARP and IPv6 ND."""

from __future__ import annotations

import ipaddress
import struct

_BROADCAST = b"\xff" * 6
_ALL_NODES_MAC = bytes.fromhex("333300000001")  # RFC 2464, section 7: ff02::1 on Ethernet
_ALL_NODES = ipaddress.IPv6Address("ff02::1")
_ETHERTYPE_ARP = 0x0806
_ETHERTYPE_IPV6 = 0x86DD
_ARP_HEAD = struct.pack("!HHBB", 1, 0x0800, 6, 4)  # RFC 826: Ethernet, IPv4, both lengths
_REQUEST, _REPLY = 1, 2
_ICMPV6 = 58
_ADVERTISEMENT = 136
_OVERRIDE = 1 << 29
_TARGET_LINK_LAYER_ADDRESS = 2


def arp_request(mac: str, address: str, target: str) -> bytes:
    """Return a broadcast question for ``target`` by the host with ``mac`` and ``address``."""
    return _arp(_REQUEST, mac, address, bytes(6), target, mac)


def gratuitous_arp(mac: str, address: str, *, reply: bool = False, source: str = "") -> bytes:
    """Return the announcement that ``address`` is at ``mac`` (RFC 5227, section 3).

    It has the form of a request, or of a reply. ``source`` is the frame's own Ethernet source if
    that is not ``mac``.
    """
    known = _octets(mac) if reply else bytes(6)
    return _arp(_REPLY if reply else _REQUEST, mac, address, known, address, source or mac)


def advertisement(mac: str, address: str, *, source: str = "") -> bytes:
    """Return the unsolicited neighbour advertisement (RFC 4861, section 7.2.6) of ``address``.

    ``source`` is the frame's own Ethernet source if that is not ``mac``.
    """
    own = ipaddress.IPv6Address(address)
    option = struct.pack("!BB", _TARGET_LINK_LAYER_ADDRESS, 1) + _octets(mac)
    body = struct.pack("!I", _OVERRIDE) + own.packed + option
    message = struct.pack("!BBH", _ADVERTISEMENT, 0, 0) + body
    pseudo = own.packed + _ALL_NODES.packed + struct.pack("!II", len(message), _ICMPV6)
    message = struct.pack("!BBH", _ADVERTISEMENT, 0, checksum(pseudo + message)) + body
    header = struct.pack("!IHBB", 6 << 28, len(message), _ICMPV6, 255)
    ethernet = _ALL_NODES_MAC + _octets(source or mac) + struct.pack("!H", _ETHERTYPE_IPV6)
    return ethernet + header + own.packed + _ALL_NODES.packed + message


def announcement(mac: str, address: str) -> bytes:
    """Return the frame that announces an address of either family, in its usual form."""
    return advertisement(mac, address) if ":" in address else gratuitous_arp(mac, address)


def checksum(octets: bytes) -> int:
    """Return the Internet checksum (RFC 1071) of octets whose own checksum field is 0."""
    padded = octets + bytes(len(octets) % 2)
    total = sum(struct.unpack(f"!{len(padded) // 2}H", padded))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def _arp(
    operation: int, mac: str, address: str, target_mac: bytes, target: str, source: str
) -> bytes:
    return b"".join(
        (
            _BROADCAST,
            _octets(source),
            struct.pack("!H", _ETHERTYPE_ARP),
            _ARP_HEAD,
            struct.pack("!H", operation),
            _octets(mac),
            ipaddress.IPv4Address(address).packed,
            target_mac,
            ipaddress.IPv4Address(target).packed,
        )
    )


def _octets(mac: str) -> bytes:
    return bytes.fromhex(mac.replace(":", ""))
