// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.MultipathBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Service;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.ServiceBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.util.BindingMap;

class ConfigCodecTest {
    @Test
    void aServiceThatCanNotBeReadIsLeftOutAndTheOthersCount() {
        final var config = new MultipathBuilder().setService(BindingMap.of(service("good"),
            withUnreadableAddress(service("bad")))).build();

        assertEquals(Set.of("good"), ConfigCodec.decode(config).services().keySet());
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
