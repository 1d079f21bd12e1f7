// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell.karaf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.console.Command;
import org.apache.karaf.shell.api.console.Registry;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMRpcService;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

class ShellComponentTest {
    private static final EffectiveModelContext ALL = models("");

    private final Map<String, Command> commands = new HashMap<>();
    private final Registry registry = fake(Registry.class, Map.of(
        "getCommand", arguments -> commands.get(arguments[1]),
        "register", arguments -> commands.put(((Command) arguments[0]).getName(), (Command) arguments[0]),
        "unregister", arguments -> commands.remove(((Command) arguments[0]).getName())));
    private Consumer<EffectiveModelContext> listener;

    private static EffectiveModelContext models(final String without) {
        return BindingRuntimeHelpers.createEffectiveModel(BindingRuntimeHelpers.loadModuleInfos().stream()
            .filter(info -> without.isEmpty() || !info.getName().getLocalName().startsWith(without))
            .collect(Collectors.toSet()));
    }

    /** An object of which a test needs a few methods. */
    private static <T> T fake(final Class<T> type, final Map<String, Function<Object[], Object>> methods) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (self, method, arguments) -> {
                final var result = methods.get(method.getName()).apply(arguments);
                return method.getReturnType() == void.class ? null : result;
            }));
    }

    @SuppressWarnings("unchecked")
    private ShellComponent component() {
        return new ShellComponent(
            fake(SessionFactory.class, Map.of("getRegistry", arguments -> registry)),
            fake(DOMSchemaService.class, Map.of("registerSchemaContextListener", arguments -> {
                listener = (Consumer<EffectiveModelContext>) arguments[0];
                listener.accept(ALL);
                return (Registration) () -> listener = null;
            })),
            fake(DOMRpcService.class, Map.of()), fake(DOMDataBroker.class, Map.of()));
    }

    @Test
    void commandsFollowTheModels() {
        component();
        assertNotNull(commands.get("multipath-find-paths"));
        final var validate = commands.get("fabric-validate");

        listener.accept(models("sluice-multipath"));

        assertEquals(List.of(), commands.keySet().stream().filter(name -> name.startsWith("multipath-")).toList());
        assertTrue(commands.keySet().containsAll(Set.of("show", "fabric-sync")), commands.keySet().toString());
        assertTrue(validate != commands.get("fabric-validate"), "still the command of the outdated model");
    }

    @Test
    void commandOfAnotherIsLeftAlone() {
        final var others = fake(Command.class, Map.of("getName", arguments -> "show"));
        commands.put("show", others);

        component().close();

        assertEquals(Map.of("show", others).keySet(), commands.keySet());
    }

    @Test
    void nothingIsLeftBehind() {
        component().close();

        assertEquals(Set.of(), commands.keySet());
        assertEquals(null, listener);
    }
}
