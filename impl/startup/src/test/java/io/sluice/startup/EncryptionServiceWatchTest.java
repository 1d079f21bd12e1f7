// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.osgi.util.promise.Promises;

class EncryptionServiceWatchTest {
    private final ComponentDescriptionDTO configurator = component(EncryptionServiceWatch.CONFIGURATOR);
    private final List<String> acts = new ArrayList<>();
    private final ServiceComponentRuntime runtime = (ServiceComponentRuntime) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {ServiceComponentRuntime.class},
        (proxy, method, arguments) -> switch (method.getName()) {
            case "getComponentDescriptionDTOs" -> List.of(component("another"), configurator);
            case "getComponentConfigurationDTOs" -> instances((ComponentDescriptionDTO) arguments[0]);
            case "disableComponent", "enableComponent" -> change(method.getName(), arguments[0]);
            default -> throw new UnsupportedOperationException(method.getName());
        });
    private final EncryptionServiceWatch watch = new EncryptionServiceWatch(runtime, this::isServed);
    private boolean served;
    private boolean fails;
    private long id = 1;
    private int state = ComponentConfigurationDTO.ACTIVE;

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void componentThatStaysWithoutItsServiceIsRestarted() {
        look(2);

        assertEquals(List.of("disableComponent", "enableComponent"), acts);
    }

    @Test
    void lookThatFailsIsNotTheLast() {
        fails = true;
        watch.lookAgain();
        fails = false;
        look(2);

        assertEquals(List.of("disableComponent", "enableComponent"), acts);
    }

    @Test
    void componentThatHasJustStartedIsGivenTime() {
        look(1);
        id = 2;
        look(1);

        assertEquals(List.of(), acts);
    }

    @Test
    void restartThatIsCaughtAgainIsRepeated() {
        look(2);
        id = 2;
        look(2);

        assertEquals(List.of("disableComponent", "enableComponent", "disableComponent", "enableComponent"), acts);
    }

    @Test
    void serviceThatIsThereIsLeftAlone() {
        served = true;
        look(3);

        assertEquals(List.of(), acts);
    }

    @Test
    void serviceThatCameBetweenTwoLooksStartsTheWaitAgain() {
        look(1);
        served = true;
        look(1);
        served = false;
        look(1);

        assertEquals(List.of(), acts);
    }

    @Test
    void componentThatWaitsForTheDatastoreIsLeftAlone() {
        state = ComponentConfigurationDTO.UNSATISFIED_REFERENCE;
        look(3);

        assertEquals(List.of(), acts);
    }

    private void look(final int times) {
        for (var i = 0; i < times; i++) {
            watch.look();
        }
    }

    private boolean isServed() {
        if (fails) {
            throw new IllegalStateException("the bundle is stopping");
        }
        return served;
    }

    private List<ComponentConfigurationDTO> instances(final ComponentDescriptionDTO component) {
        final var instance = new ComponentConfigurationDTO();
        instance.description = component;
        instance.id = id;
        instance.state = state;
        return List.of(instance);
    }

    private Object change(final String act, final Object component) {
        assertEquals(configurator, component);
        acts.add(act);
        return Promises.resolved(null);
    }

    private static ComponentDescriptionDTO component(final String name) {
        final var component = new ComponentDescriptionDTO();
        component.name = name;
        return component;
    }
}
