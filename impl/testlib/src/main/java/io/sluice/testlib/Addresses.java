// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Host;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** IP addresses for tests. */
public final class Addresses {
    private Addresses() {
        // functions only
    }

    /** Reads a literal address; nothing is looked up. */
    public static InetAddress ip(final String literal) {
        if (!literal.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            throw new IllegalArgumentException("not an address: " + literal);
        }
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The IPv4 address of a host that has one. */
    public static InetAddress ipv4(final Host host) {
        return host.addresses().stream().filter(Inet4Address.class::isInstance).findFirst().orElseThrow();
    }

    /** The IPv6 address of a host that has one. */
    public static InetAddress ipv6(final Host host) {
        return host.addresses().stream().filter(Inet6Address.class::isInstance).findFirst().orElseThrow();
    }
}
