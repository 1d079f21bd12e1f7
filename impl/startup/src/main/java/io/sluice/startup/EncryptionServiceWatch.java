// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restarts the component that makes AAA's encryption service, if it is active and there is no service.
 *
 * <p>That component, of AAA 0.21.2, listens to its configuration and makes the service when it is told of it. The
 * datastore may tell, on a thread of its own, before the constructor has stored the listener's registration; without
 * one the component takes itself for closed and does nothing, and it is not told again as long as nobody changes the
 * configuration. Users can't be read then, and RESTCONF answers 401 to everybody until a restart. Only an existing
 * configuration, that is any start but the first, is told so early.
 *
 * <p>A restart of the component is the recovery that its own source names. It may be caught again, and is then
 * restarted again. One that has just started is left alone until the next look, for the sake of slow machines.
 */
@Component(service = { })
public final class EncryptionServiceWatch {
    static final String CONFIGURATOR = "org.opendaylight.aaa.encrypt.impl.OSGiEncryptionServiceConfigurator";
    private static final Logger LOG = LoggerFactory.getLogger(EncryptionServiceWatch.class);
    static final String SERVICE = "org.opendaylight.aaa.encrypt.AAAEncryptionService";
    private static final long PERIOD_S = 5;

    private final ServiceComponentRuntime runtime;
    private final BooleanSupplier isServed;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().name("sluice-encryption-service-watch").daemon().factory());
    private Optional<Long> waitingFor = Optional.empty();

    /** Looks every five seconds. */
    @Activate
    public EncryptionServiceWatch(final BundleContext context, @Reference final ServiceComponentRuntime runtime) {
        this(runtime, () -> context.getServiceReference(SERVICE) != null);
        executor.scheduleWithFixedDelay(this::lookAgain, PERIOD_S, PERIOD_S, TimeUnit.SECONDS);
    }

    /** Looks only when it is told to. */
    EncryptionServiceWatch(final ServiceComponentRuntime runtime, final BooleanSupplier isServed) {
        this.runtime = runtime;
        this.isServed = isServed;
    }

    /** Stops looking. */
    @Deactivate
    public void close() {
        executor.shutdownNow();
    }

    /** Looks; if that fails, the next look may not. */
    void lookAgain() {
        try {
            look();
        } catch (RuntimeException e) {
            LOG.warn("AAA's encryption service can't be looked at", e);
        }
    }

    /** Restarts the component if this instance of it had not made its service at the last look either. */
    void look() {
        final var idle = isServed.getAsBoolean() ? Optional.<ComponentConfigurationDTO>empty() : active();
        final var id = idle.map(instance -> instance.id);
        if (id.isPresent() && id.equals(waitingFor)) {
            LOG.warn("AAA's encryption service was not made from its configuration: restarting {}", CONFIGURATOR);
            restart(idle.orElseThrow().description);
        }
        waitingFor = id;
    }

    private Optional<ComponentConfigurationDTO> active() {
        return runtime.getComponentDescriptionDTOs().stream()
            .filter(component -> component.name.equals(CONFIGURATOR))
            .flatMap(component -> runtime.getComponentConfigurationDTOs(component).stream())
            .filter(instance -> instance.state == ComponentConfigurationDTO.ACTIVE)
            .findAny();
    }

    private void restart(final ComponentDescriptionDTO component) {
        runtime.disableComponent(component).onResolve(() -> runtime.enableComponent(component));
    }
}
