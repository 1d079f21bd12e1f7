// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.api.Connection;
import io.sluice.api.Fragment;
import io.sluice.api.MacAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {
    private static final MacAddress A = MacAddress.of("02:00:00:00:00:0a");
    private static final MacAddress B = MacAddress.of("02:00:00:00:00:0b");
    private static final String B_A = "02000000000b 02000000000a ";
    private static final Ethernet A_TO_B = new Ethernet(B, A, 0);
    private static final String V6_PAIR =
        "20010db8000000000000000000000001 20010db8000000000000000000000002 ";

    @Test
    void readsArpRequest() {
        assertEquals(
            new Packet.Arp(new Ethernet(MacAddress.BROADCAST, A, 0), true, A, ip("10.0.0.1"), ip("10.0.0.2")),
            parse("ffffffffffff 02000000000a 0806 0001 0800 06 04 0001 02000000000a 0a000001 000000000000 0a000002"));
    }

    @Test
    void readsOneVlanTagAndNoSecondOne() {
        final var arp = "0806 0001 0800 06 04 0002 02000000000a 0a000001 02000000000b 0a000002";
        assertEquals(new Packet.Arp(new Ethernet(B, A, 7), false, A, ip("10.0.0.1"), ip("10.0.0.2")),
            parse(B_A + "8100 e007 " + arp));
        assertEquals(new Packet.Other(new Ethernet(B, A, 7), 0x8100), parse(B_A + "8100 0007 8100 0008 " + arp));
    }

    @Test
    void readsTcpBehindIpv4Options() {
        assertEquals(new Packet.Ip(A_TO_B, new Connection(6, ip("10.0.0.1"), ip("10.0.0.2"), 1234, 80)),
            parse(B_A + "0800 46 00 001c 0000 4000 40 06 0000 0a000001 0a000002 01010101 04d2 0050 ffffffff"));
    }

    @Test
    void firstIpv4FragmentHasItsPorts() {
        assertEquals(new Packet.Ip(A_TO_B, new Connection(17, ip("10.0.0.1"), ip("10.0.0.2"), 1234, 80),
            Optional.of(new Fragment(0xabcd, true))),
            parse(B_A + "0800 45 00 001c abcd 2000 40 11 0000 0a000001 0a000002 04d2 0050 0fa8 0000"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0001", "2001", "1fff"})
    void laterIpv4FragmentHasNoPorts(final String place) {
        assertEquals(new Packet.Ip(A_TO_B, new Connection(17, ip("10.0.0.1"), ip("10.0.0.2"), 0, 0),
            Optional.of(new Fragment(0xffff, false))),
            parse(B_A + "0800 45 00 0018 ffff " + place + " 40 11 0000 0a000001 0a000002 04d20050"));
    }

    @ParameterizedTest
    @CsvSource({
        "46, 001a, transport header: cut short",
        "44, 001c, IPv4: version and length 0x44",
        "65, 001c, IPv4: version and length 0x65",
        "45, 0003, IPv4: claims -1 octets of 24",
        "45, 001d, IPv4: claims 25 octets of 24",
        "4f, 001c, IPv4: cut short",
    })
    void saysWhatIsWrongWithIpv4(final String versionAndLength, final String totalLength, final String reason) {
        assertEquals(reason, malformed(B_A + "0800" + versionAndLength + "00" + totalLength
            + "0000 0000 40 06 0000 0a000001 0a000002 04d2 0050 00000000"));
    }

    @Test
    void walksExtensionHeadersUpToUdp() {
        assertEquals(new Packet.Ip(A_TO_B, new Connection(17, ip("2001:db8::1"), ip("2001:db8::2"), 5000, 53)),
            parse(B_A + "86dd 60000000 0030 00 40 " + V6_PAIR
                + "3c 00 000000000000 2b 01 0000000000000000000000000000 2c 00 000000000000 11 00 0000 00000001"
                + "1388 0035 0008 0000"));
    }

    @Test
    void firstIpv6FragmentHasItsPorts() {
        assertEquals(new Packet.Ip(A_TO_B, new Connection(17, ip("2001:db8::1"), ip("2001:db8::2"), 1234, 80),
            Optional.of(new Fragment(0xffff_fffeL, true))),
            parse(B_A + "86dd 60000000 0010 2c 40 " + V6_PAIR + "11 00 0001 fffffffe 04d2 0050 0fa8 0000"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0009", "0008", "fff8"})
    void laterIpv6FragmentHasNoPorts(final String place) {
        assertEquals(new Packet.Ip(A_TO_B, new Connection(6, ip("2001:db8::1"), ip("2001:db8::2"), 0, 0),
            Optional.of(new Fragment(1, false))),
            parse(B_A + "86dd 60000000 000c 2c 40 " + V6_PAIR + "06 00 " + place + " 00000001 04d20050"));
    }

    /** RFC 6946: an IPv6 fragment with offset 0 and no other behind it. */
    @Test
    void atomicIpv6FragmentIsAWholePacket() {
        assertEquals(new Packet.Ip(A_TO_B, new Connection(17, ip("2001:db8::1"), ip("2001:db8::2"), 1234, 80)),
            parse(B_A + "86dd 60000000 0010 2c 40 " + V6_PAIR + "11 00 0000 00000001 04d2 0050 0008 0000"));
    }

    @ParameterizedTest
    @CsvSource({"001b, 04d2 0050 0008 00", "0016, 04d2", "0014, ''"})
    void firstFragmentTooShortForItsHeaderIsMalformed(final String length, final String header) {
        assertEquals("transport header: cut short", malformed(B_A + "0800 45 00" + length
            + "0001 2000 40 11 0000 0a000001 0a000002" + header));
    }

    @ParameterizedTest
    @CsvSource({
        "60000000 0008 00, 3c01 000000000000, IPv6 extension header: cut short",
        "60000000 0000 00, '', IPv6 extension header: cut short",
        "60000000 0009 11, 1388003500080000, IPv6: claims 9 octets of 8",
        "40000000 0008 11, 1388003500080000, IPv6: other version",
    })
    void saysWhatIsWrongWithIpv6(final String start, final String payload, final String reason) {
        assertEquals(reason, malformed(B_A + "86dd" + start + "40" + V6_PAIR + payload));
    }

    @Test
    void mappedAddressStaysIpv6() {
        final var packet = assertInstanceOf(Packet.Ip.class, parse(B_A + "86dd 60000000 0000 3b 40 "
            + "00000000000000000000ffff0a000001 20010db8000000000000000000000002"));
        assertEquals(16, packet.connection().source().getAddress().length);
    }

    @ParameterizedTest
    @CsvSource({"2, 05, 0a000005, 10.0.0.5", "2, 02, 0a000005, ''", "1, 05, 0a000005, ''", "2, 05, 00000000, ''",
        "1, 03 3204 0a000006, 0a000005, 10.0.0.6", "1, 03, 0a000005, 10.0.0.4", "1, 01 3204 0a000006, 0a000005, ''",
        "1, 03 3204 00000000, 0a000005, ''", "1, 03 3203 0a0000, 0a000005, 10.0.0.4"})
    void onlyDhcpRequestsAndAcksNameAnAddressForTheClient(final int operation, final String type, final String offered,
            final String leased) {
        final var dhcp = assertInstanceOf(Packet.Dhcp.class,
            Frames.parse(dhcp4(operation, offered, "00 0c0168 3501" + type)));
        assertEquals(operation == 1, dhcp.toServer());
        assertEquals(Integer.parseInt(type.substring(0, 2)), dhcp.messageType());
        assertEquals(B, dhcp.client());
        assertEquals(leased.isEmpty() ? Optional.empty() : Optional.of(new Packet.Lease(0xf1020304L, ip(leased))),
            dhcp.lease());
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "0c00ff350105", ""})
    void dhcpWithoutMessageTypeIsBootp(final String options) {
        assertEquals(0, assertInstanceOf(Packet.Dhcp.class, Frames.parse(dhcp4(2, "0a000005", options))).messageType());
    }

    @Test
    void readsBothWaysOfDhcpForIpv6() {
        final var question = assertInstanceOf(Packet.Dhcp.class,
            parse(B_A + "86dd 60000000 000c 11 40 " + V6_PAIR + "0222 0223 000c 0000 01aabbcc"));
        assertEquals(A, question.client());
        assertEquals(1, question.messageType());
        final var answer = assertInstanceOf(Packet.Dhcp.class,
            parse(B_A + "86dd 60000000 000c 11 40 " + V6_PAIR + "0223 0222 000c 0000 07aabbcc"));
        assertEquals(B, answer.client());
        assertFalse(answer.toServer());
    }

    @Test
    void readsOtherProtocolsByEtherType() {
        assertEquals(new Packet.Other(A_TO_B, 0x88cc), parse(B_A + "88cc 0207"));
    }

    @Test
    void readsRouterDiscovery() {
        final var solicitation = nd("85 00", "00000000 0101 02000000000a", 16);
        assertEquals(new Packet.RouterSolicitation(A_TO_B, ip("2001:db8::1")), Frames.parse(solicitation));
        final var advertisement = nd("86 00", "40000708 00000000 00000000", 16);
        assertEquals(new Packet.RouterAdvertisement(A_TO_B, ip("2001:db8::1")), Frames.parse(advertisement));
    }

    @Test
    void refusesNeighbourDiscoveryThatAnyRouterCouldHaveForged() {
        final var good = Frames.neighbourSolicitation(A, ip("fe80::a"), ip("fe80::b"));
        assertReason("neighbour discovery: wrong checksum", with(good, 60, 1));
        assertReason("neighbour discovery: code is not 0 or hop limit is not 255", with(good, 21, 254));
        assertReason("neighbour discovery: code is not 0 or hop limit is not 255", with(good, 55, 1));
    }

    @Test
    void refusesOptionOfNoLengthAndMulticastTarget() {
        assertReason("neighbour discovery option: length 0", nd("85 00", "00000000 0100 02000000000a", 16));
        assertReason("neighbour discovery: multicast target",
            nd("87 00", "00000000 ff020000000000000000000000000001", 24));
    }

    @Test
    void writesArpFramesOfLeastLength() {
        final var request = Frames.arpRequest(A, ip("0.0.0.0"), ip("10.0.0.2"));
        assertArrayEquals(Arrays.copyOf(hex("ffffffffffff 02000000000a 0806 0001 0800 06 04 0001 02000000000a 00000000"
            + "000000000000 0a000002"), 60), request);
        final var reply = Frames.arpReply(new Ethernet(B, A, 7), ip("10.0.0.1"), ip("10.0.0.2"));
        assertArrayEquals(Arrays.copyOf(hex(B_A + "8100 0007 0806 0001 0800 06 04 0002 02000000000a 0a000001"
            + "02000000000b 0a000002"), 60), reply);
    }

    @Test
    void writesNeighbourSolicitationToSolicitedNodeGroup() {
        final var frame = Frames.neighbourSolicitation(A, ip("fe80::a"), ip("2001:db8::12:3456"));
        final var group = new Ethernet(MacAddress.of("33:33:ff:12:34:56"), A, 0);
        assertEquals(new Packet.NeighbourSolicitation(group, ip("fe80::a"), ip("2001:db8::12:3456")),
            Frames.parse(frame));
        assertArrayEquals(hex("ff0200000000000000000001ff123456"), Arrays.copyOfRange(frame, 38, 54));
        assertArrayEquals(hex("0101 02000000000a"), Arrays.copyOfRange(frame, 78, 86));
    }

    @Test
    void writesNeighbourAdvertisementThatIsSolicitedUnlessToGroup() {
        final var tagged = new Ethernet(B, A, 9);
        assertEquals(new Packet.NeighbourAdvertisement(tagged, ip("fe80::b"), ip("fe80::a"), Optional.of(A), true,
            true), Frames.parse(Frames.neighbourAdvertisement(tagged, ip("fe80::a"), ip("fe80::b"))));
        final var all = new Ethernet(Frames.groupMac(ip("ff02::1")), A, 0);
        assertEquals(new Packet.NeighbourAdvertisement(all, ip("ff02::1"), ip("fe80::a"), Optional.of(A), false, true),
            Frames.parse(Frames.neighbourAdvertisement(all, ip("fe80::a"), ip("ff02::1"))));
    }

    @Test
    void writesEmptyUdpAndTcpPackets() {
        assertArrayEquals(Arrays.copyOf(hex(B_A + "0800 4500001c 0000 0000 40 11 66cf 0a000001 0a000002"
            + "04d2 0050 0008 e6b9"), 60),
            Frames.ip(A, B, new Connection(17, ip("10.0.0.1"), ip("10.0.0.2"), 1234, 80)));
        assertArrayEquals(hex(B_A + "86dd 60000000 0014 06 40 " + V6_PAIR
            + "04d2 0050 00000000 00000000 5010 0000 4f3e 0000"),
            Frames.ip(A, B, new Connection(6, ip("2001:db8::1"), ip("2001:db8::2"), 1234, 80)));
    }

    @ParameterizedTest
    @CsvSource({"5002, true", "6002, true", "5012, false", "5010, false", "5004, false"})
    void aSynWithoutAckOpensAConnection(final String offsetAndFlags, final boolean opens) {
        final var segment = "04d2 0050 00000000 00000000 " + offsetAndFlags + "0000 0000 0000";
        assertEquals(opens, Frames.opensConnection(hex(B_A + "0800 45000028 0000 0000 40 06 0000 0a000001 0a000002"
            + segment)));
        assertEquals(opens, Frames.opensConnection(hex(B_A + "86dd 60000000 0014 06 40 " + V6_PAIR + segment)));
        assertFalse(Frames.opensConnection(hex(B_A + "0800 45000028 0000 0001 40 06 0000 0a000001 0a000002"
            + segment)));
        assertFalse(Frames.opensConnection(hex(B_A + "0800 45000028 0000 0000 40 11 0000 0a000001 0a000002"
            + segment)));
    }

    @Test
    void onlyTcpOpensConnections() {
        assertFalse(Frames.opensConnection(hex(B_A + "0806 0001")));
        assertFalse(Frames.opensConnection(new byte[0]));
    }

    @Test
    void udpChecksumOfZeroIsWrittenAsItsOtherForm() {
        final var frame = Frames.ip(A, B, new Connection(17, ip("10.0.0.1"), ip("10.0.0.2"), 60299, 80));
        assertArrayEquals(hex("ffff"), Arrays.copyOfRange(frame, 40, 42));
    }

    @Test
    void writesNoPacketsOfOtherProtocols() {
        final var ping = new Connection(1, ip("10.0.0.1"), ip("10.0.0.2"), 0, 0);
        final var error = assertThrows(IllegalArgumentException.class, () -> Frames.ip(A, B, ping));
        assertEquals("neither TCP nor UDP: 1 10.0.0.1.0 > 10.0.0.2.0", error.getMessage());
    }

    @Test
    void writesZerosBehindAnyHeader() {
        assertArrayEquals(Arrays.copyOf(hex(B_A + "88b5"), 1500), Frames.zeros(A_TO_B, 0x88b5, 1500));
    }

    static byte[] dhcp4(final int operation, final String offered, final String options) {
        final var message = "0" + operation + "010600 f1020304 0000 8000 0a000004" + offered + "00000000 00000000"
            + "02000000000b" + "00".repeat(10 + 64 + 128) + "63825363" + options;
        final int length = 28 + hex(message).length;
        return hex(B_A + "0800 4500" + "%04x".formatted(length) + "0000 0000 40 11 0000 0a000001 ffffffff"
            + (operation == 1 ? "0044 0043" : "0043 0044") + "%04x".formatted(length - 20) + "0000" + message);
    }

    /** A neighbour discovery message of {@code length} octets with a right checksum. */
    static byte[] nd(final String typeAndCode, final String rest, final int length) {
        final var message = hex(typeAndCode + "0000" + rest);
        assertEquals(length, message.length);
        final int checksum = Checksum.of(58, ip("2001:db8::1"), ip("2001:db8::2"), message);
        return hex(B_A + "86dd 60000000 %04x 3a ff ".formatted(length) + V6_PAIR + typeAndCode
            + "%04x".formatted(checksum) + rest);
    }

    private static Packet parse(final String hex) {
        return Frames.parse(hex(hex));
    }

    private static String malformed(final String hex) {
        return assertInstanceOf(Packet.Malformed.class, parse(hex)).reason();
    }

    private static void assertReason(final String reason, final byte[] frame) {
        assertEquals(new Packet.Malformed(reason), Frames.parse(frame));
    }

    private static byte[] with(final byte[] frame, final int index, final int value) {
        final var changed = frame.clone();
        changed[index] = (byte) value;
        return changed;
    }

    static byte[] hex(final String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    private static InetAddress ip(final String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
