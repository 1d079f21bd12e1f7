// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.slots;

import io.sluice.api.MaskedIp;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How replies to the clients of a slot find the client's switch: patterns of addresses for each switch, no two of which
 * have an address in common. Each is the slot's bits with the shortest prefix behind which all known clients are at one
 * switch, so that addresses that nobody uses cost nothing.
 */
public final class ReplyCover {
    private final MaskedIp slot;
    private final Map<InetAddress, SwitchId> clients;
    private final Map<SwitchId, List<MaskedIp>> patterns = new HashMap<>();

    private ReplyCover(final MaskedIp slot, final Map<InetAddress, SwitchId> clients) {
        this.slot = slot;
        this.clients = clients;
    }

    /** The patterns of each switch that has a client of {@code slot}, which all {@code clients} belong to. */
    public static Map<SwitchId, List<MaskedIp>> of(final MaskedIp slot, final Map<InetAddress, SwitchId> clients) {
        final var cover = new ReplyCover(slot, clients);
        cover.descend(List.copyOf(clients.keySet()), 0);
        return cover.patterns;
    }

    /** True if each client is in a pattern of its switch, and in no other's. */
    public static boolean fits(final Map<SwitchId, List<MaskedIp>> patterns,
            final Map<InetAddress, SwitchId> clients) {
        return clients.entrySet().stream().allMatch(client -> patterns.entrySet().stream().allMatch(edge ->
            contains(edge.getValue(), client.getKey()) == edge.getKey().equals(client.getValue()))
            && patterns.containsKey(client.getValue()));
    }

    private static boolean contains(final Collection<MaskedIp> patterns, final InetAddress address) {
        return patterns.stream().anyMatch(pattern -> pattern.contains(address));
    }

    /** Adds the patterns for {@code addresses}, which agree in their first {@code length} bits. */
    private void descend(final List<InetAddress> addresses, final int length) {
        if (addresses.stream().map(clients::get).distinct().count() > 1) {
            final var zeros = new ArrayList<InetAddress>();
            final var ones = new ArrayList<InetAddress>();
            addresses.forEach(address -> (isSet(address.getAddress(), length) ? ones : zeros).add(address));
            descend(zeros, length + 1);
            descend(ones, length + 1);
        } else if (!addresses.isEmpty()) {
            final var any = addresses.getFirst();
            patterns.computeIfAbsent(clients.get(any), edge -> new ArrayList<>())
                .add(slot.narrowedTo(any, length));
        }
    }

    private static boolean isSet(final byte[] octets, final int bit) {
        return (octets[bit / 8] & 0x80 >> bit % 8) != 0;
    }
}
