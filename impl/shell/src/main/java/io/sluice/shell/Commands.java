// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.ArrayList;
import java.util.List;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.dom.api.DOMRpcService;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;

/** All commands that the models of a controller call for. */
public final class Commands {
    private Commands() {
    }

    /**
     * Makes the commands, in order of their areas.
     *
     * @param context models
     * @param rpcs where RPCs are invoked
     * @param reader what is shown, and offered as values
     * @param writer where values are set
     */
    public static List<LineCommand> of(final EffectiveModelContext context, final DOMRpcService rpcs,
            final DataReader reader, final DataWriter writer) {
        final var models = new SluiceModels(context);
        final var values = new KnownValues(models, reader);
        final var commands = new ArrayList<LineCommand>();
        commands.add(new ShowCommand(models, reader));
        final var places = new Places(models, reader, LogicalDatastoreType.CONFIGURATION);
        commands.add(new ConfigurationCommand(models, places,
            new SetChange(places, new ValueReader(models), values, reader, writer)));
        commands.add(new ConfigurationCommand(models, places, new UnsetChange(reader, writer)));
        models.areas().forEach((area, module) -> module.getRpcs()
            .forEach(rpc -> commands.add(new RpcCommand(area, rpc, models, rpcs, values))));
        return commands;
    }
}
