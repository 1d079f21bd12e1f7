// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.FlowMatch;
import io.sluice.multipath.engine.MultipathConfig;
import io.sluice.multipath.placement.Strategy;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.MultipathBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.PieceNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Service;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.ServiceBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.service.ServerBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.service.server.PortBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;

class ConfigCodecTest {
    @Test
    void defaultsAreThoseOfTheModel() throws IOException {
        final var none = ConfigCodec.none();
        assertEquals(Strategy.valueOf(inModel("strategy").toUpperCase(Locale.ROOT)), none.strategy());
        assertEquals(number("refresh-interval"), none.refreshMs());
        assertEquals(number("cost-tolerance"), none.placer().costTolerancePpm());
        assertEquals(number("least-gain"), none.placer().leastGainPpm());
        assertEquals(number("hold-time") * 1_000_000, none.placer().holdNs());
        assertEquals(number("idle-timeout"), none.idleMs());

        final var service = barest().services().get("store");
        assertEquals(inModel("transport"), service.protocol() == FlowMatch.PROTOCOL_TCP ? "tcp" : "other");
        assertEquals(number("pieces"), service.pieces());
        assertEquals(number("drain-timeout"), service.drainMs());
        assertEquals(number("max-load"), service.servers().getFirst().maxLoad());
    }

    @Test
    void aServiceThatCanNotBeReadIsToldOfAndTheOthersCount() {
        final var config = new MultipathBuilder().setService(BindingMap.of(service("good"),
            withUnreadableAddress(service("bad")))).build();

        final var unreadable = new HashMap<String, String>();
        assertEquals(Set.of("good"), ConfigCodec.decode(config, unreadable).services().keySet());
        assertEquals(Set.of("service bad"), unreadable.keySet());
    }

    private static MultipathConfig barest() {
        final var port = new PortBuilder().setNumber(new PortNumber(Uint16.valueOf(80)))
            .setPiece(new PieceNumber(Uint16.ONE)).build();
        final var server = new ServerBuilder().setName(new ObjectName("s1"))
            .setAddress(Values.address(InetAddress.getLoopbackAddress())).setPort(BindingMap.of(port)).build();
        return ConfigCodec.decode(new MultipathBuilder().setService(BindingMap.of(
            new ServiceBuilder().setName(new ObjectName("store")).setServer(BindingMap.of(server)).build())).build(),
            new HashMap<>());
    }

    private static long number(final String leaf) throws IOException {
        return Long.parseLong(inModel(leaf));
    }

    /** The default of the first leaf of that name. */
    private static String inModel(final String leaf) throws IOException {
        try (var model = Objects.requireNonNull(MultipathBuilder.class.getResourceAsStream(
                "/META-INF/yang/sluice-multipath@2026-11-21.yang"))) {
            final var text = new String(model.readAllBytes(), StandardCharsets.UTF_8);
            final var found = Pattern.compile("leaf " + leaf + " \\{(?:(?!\\bleaf\\b).)*?default \"([^\"]*)\"",
                Pattern.DOTALL).matcher(text);
            assertTrue(found.find(), leaf);
            return found.group(1);
        }
    }

    private static Service service(final String name) {
        return new ServiceBuilder().setName(new ObjectName(name)).build();
    }

    /** A service as the datastore gives it whose virtual address matches no member of its union. */
    private static Service withUnreadableAddress(final Service service) {
        return (Service) Proxy.newProxyInstance(Service.class.getClassLoader(), new Class<?>[] {Service.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals("getVirtualAddress")) {
                    throw new IllegalArgumentException("no address");
                }
                return method.invoke(service, arguments);
            });
    }
}
