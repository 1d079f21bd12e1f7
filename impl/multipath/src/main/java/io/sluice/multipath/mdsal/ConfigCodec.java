// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.Bandwidth;
import io.sluice.multipath.engine.ConfigChecks;
import io.sluice.multipath.engine.MultipathConfig;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.EndOfTransfer;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Multipath;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.MultipathBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;

/** The configuration as values; what is not set has the default that {@code sluice-multipath} gives it. */
final class ConfigCodec {
    private static final Uint32 REFRESH_INTERVAL_MS = Uint32.valueOf(10_000);
    private static final Uint32 COST_TOLERANCE_PPM = Uint32.valueOf(250_000);
    private static final Uint32 LEAST_GAIN_PPM = Uint32.valueOf(100_000);
    private static final Uint32 HOLD_TIME_MS = Uint32.valueOf(30_000);
    private static final Uint32 IDLE_TIMEOUT_MS = Uint32.valueOf(30_000);
    private static final Uint32 DRAIN_TIMEOUT_MS = Uint32.valueOf(60_000);
    private static final int MAX_LOAD = 4;
    private static final int WEIGHT = 1;

    private ConfigCodec() {
        // functions only
    }

    /** Returns the configuration of an operator who said nothing. */
    static MultipathConfig none() {
        return decode(new MultipathBuilder().build(), new HashMap<>());
    }

    /**
     * Returns what can be read: the datastore takes values that match no member of a union.
     *
     * @param unreadable gets the rest, with the reasons
     */
    static MultipathConfig decode(final Multipath multipath, final Map<String, String> unreadable) {
        final var placer = new PlacerSettings(
            or(multipath.getCostTolerance() == null ? null : multipath.getCostTolerance().getValue(),
                COST_TOLERANCE_PPM),
            or(multipath.getLeastGain() == null ? null : multipath.getLeastGain().getValue(), LEAST_GAIN_PPM),
            TimeUnit.MILLISECONDS.toNanos(or(multipath.getHoldTime(), HOLD_TIME_MS)));
        return new MultipathConfig(strategy(multipath.getStrategy()).orElse(Strategy.JOINT),
            or(multipath.getRefreshInterval(), REFRESH_INTERVAL_MS), placer,
            or(multipath.getIdleTimeout(), IDLE_TIMEOUT_MS),
            readable(multipath.nonnullService().values(), service -> service.getName().getValue(), ConfigCodec::decode,
                ConfigChecks::service, unreadable),
            readable(multipath.nonnullTransfer().values(), transfer -> transfer.getName().getValue(),
                ConfigCodec::decode, ConfigChecks::transfer, unreadable));
    }

    private static <S, V> Map<String, V> readable(final Collection<S> stored, final Function<S, String> name,
            final Function<S, V> decoder, final UnaryOperator<String> item, final Map<String, String> unreadable) {
        final var known = new HashMap<String, V>();
        for (var object : stored) {
            try {
                known.put(name.apply(object), decoder.apply(object));
            } catch (IllegalArgumentException e) {
                unreadable.put(item.apply(name.apply(object)), e.getMessage());
            }
        }
        return Map.copyOf(known);
    }

    static Optional<Strategy> strategy(final org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Strategy strategy) {
        return Optional.ofNullable(strategy).map(named ->
            Strategy.valueOf(named.getName().replace('-', '_').toUpperCase(Locale.ROOT)));
    }

    static org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Strategy strategy(final String name) {
        return org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Strategy.ofName(
            name.replace('_', '-').toLowerCase(Locale.ROOT));
    }

    private static Service decode(final org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Service service) {
        return new Service(service.getName().getValue(), Values.protocol(service.getTransport()),
            Optional.ofNullable(service.getVirtualAddress()).map(Values::address),
            Values.port(service.getVirtualPort()),
            service.getPieces() == null ? 1 : service.getPieces().getValue().toJava(),
            service.getSlots() == null ? OptionalInt.empty() : OptionalInt.of(service.getSlots().toJava()),
            strategy(service.getStrategy()),
            service.nonnullServer().values().stream().map(ConfigCodec::decode).toList(),
            or(service.getDrainTimeout(), DRAIN_TIMEOUT_MS));
    }

    private static Server decode(final org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.service.Server server) {
        return new Server(server.getName().getValue(), Values.address(server.getAddress()),
            server.getMaxLoad() == null ? MAX_LOAD : (int) Math.min(Integer.MAX_VALUE, server.getMaxLoad().toJava()),
            server.getWeight() == null ? WEIGHT : server.getWeight().toJava(),
            server.nonnullPort().values().stream().map(port -> new ServerPort(
                port.getNumber().getValue().toJava(), port.getPiece().getValue().toJava())).toList());
    }

    private static Transfer decode(final org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Transfer transfer) {
        return new Transfer(transfer.getName().getValue(), Values.address(transfer.getClient()),
            transfer.getService().getValue(),
            Optional.ofNullable(transfer.getPiece()).map(List::copyOf).orElse(List.of()).stream()
                .map(piece -> piece.getValue().toJava()).sorted().toList(),
            Optional.ofNullable(transfer.getBandwidth()).map(rate -> new Bandwidth(rate.getValue().longValue())),
            idleMs(transfer));
    }

    /** After how long a transfer ends by itself. */
    static OptionalLong idleMs(final EndOfTransfer transfer) {
        return transfer.getIdleTimeout() == null ? OptionalLong.empty()
            : OptionalLong.of(transfer.getIdleTimeout().toJava());
    }

    private static long or(final Uint32 value, final Uint32 absent) {
        return (value == null ? absent : value).toJava();
    }
}
