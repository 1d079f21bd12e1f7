// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell.karaf;

import io.sluice.shell.Commands;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.console.Registry;
import org.apache.karaf.shell.api.console.SessionFactory;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMRpcService;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the shell's commands as the controller's models call for. */
@Component(service = { })
public final class ShellComponent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShellComponent.class);

    private final Registry registry;
    private final DOMRpcService rpcs;
    private final Datastores datastores;
    private final List<KarafCommand> registered = new ArrayList<>();
    private final Registration registration;

    @Activate
    public ShellComponent(@Reference final SessionFactory sessions, @Reference final DOMSchemaService schemas,
            @Reference final DOMRpcService rpcs, @Reference final DOMDataBroker broker) {
        registry = sessions.getRegistry();
        this.rpcs = rpcs;
        datastores = new Datastores(broker);
        registration = schemas.registerSchemaContextListener(this::replace);
    }

    @Deactivate
    @Override
    public void close() {
        registration.close();
        withdraw();
    }

    private synchronized void replace(final EffectiveModelContext context) {
        withdraw();
        for (var command : Commands.of(context, rpcs, datastores, datastores)) {
            if (registry.getCommand(KarafCommand.SCOPE, command.name()) != null) {
                LOG.warn("There are two commands {}:{}; one of them can't be used", KarafCommand.SCOPE, command.name());
                continue;
            }
            final var wrapped = new KarafCommand(command);
            registry.register(wrapped);
            registered.add(wrapped);
        }
        LOG.debug("Registered {} commands", registered.size());
    }

    private synchronized void withdraw() {
        registered.forEach(registry::unregister);
        registered.clear();
    }
}
