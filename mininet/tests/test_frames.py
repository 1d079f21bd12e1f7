# SPDX-License-Identifier: EPL-2.0
import socket
import struct

from sluice_lab import frames

MAC = "00:00:00:00:00:07"
OTHER = "02:00:00:00:00:99"


def test_a_question_is_an_arp_request():
    frame = frames.arp_request(MAC, "10.0.0.7", "10.0.0.6")
    assert frame.hex() == (
        "ffffffffffff" "000000000007" "0806"
        "0001" "0800" "06" "04" "0001"
        "000000000007" "0a000007" "000000000000" "0a000006"
    )  # fmt: skip


def test_an_announcement_asks_for_the_senders_own_address():
    frame = frames.announcement(MAC, "10.0.0.7")
    assert frame == frames.arp_request(MAC, "10.0.0.7", "10.0.0.7")


def test_an_announcement_may_be_a_reply_and_come_from_elsewhere():
    frame = frames.gratuitous_arp(MAC, "10.0.0.7", reply=True, source=OTHER)
    assert frame.hex() == (
        "ffffffffffff" "020000000099" "0806"
        "0001" "0800" "06" "04" "0002"
        "000000000007" "0a000007" "000000000007" "0a000007"
    )  # fmt: skip


def test_an_advertisement_goes_to_all_nodes_with_a_right_checksum():
    frame = frames.announcement(MAC, "fd00::7")
    assert frame[:14].hex() == "33330000000100000000000786dd"
    assert frame[20] == 58
    assert frame[21] == 255
    source, target, message = frame[22:38], frame[38:54], frame[54:]
    assert source == socket.inet_pton(socket.AF_INET6, "fd00::7")
    assert target == socket.inet_pton(socket.AF_INET6, "ff02::1")
    assert message[0] == 136
    assert message[4] == 0x20, "the override flag alone"
    assert message[8:24] == source
    assert message[24:].hex() == "0201000000000007"
    pseudo = source + target + struct.pack("!II", len(message), 58)
    assert frames.checksum(pseudo + message) == 0


def test_the_checksum_is_that_of_rfc_1071():
    assert frames.checksum(bytes.fromhex("0001f203f4f5f6f7")) == 0x220D
    assert frames.checksum(b"\x01") == 0xFEFF
