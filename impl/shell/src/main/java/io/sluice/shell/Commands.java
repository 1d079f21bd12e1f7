// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.ArrayList;
import java.util.List;
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
     */
    public static List<LineCommand> of(final EffectiveModelContext context, final DOMRpcService rpcs,
            final DataReader reader) {
        final var models = new SluiceModels(context);
        final var values = new KnownValues(models, reader);
        final var commands = new ArrayList<LineCommand>();
        commands.add(new ShowCommand(models, reader));
        models.areas().forEach((area, module) -> module.getRpcs()
            .forEach(rpc -> commands.add(new RpcCommand(area, rpc, models, rpcs, values))));
        return commands;
    }
}
