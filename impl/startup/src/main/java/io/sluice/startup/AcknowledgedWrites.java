// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opendaylight.controller.cluster.datastore.config.Configuration;
import org.opendaylight.controller.cluster.datastore.config.ConfigurationImpl;
import org.opendaylight.controller.cluster.datastore.config.FileModuleShardConfigProvider;
import org.opendaylight.controller.cluster.datastore.config.ModuleConfig;
import org.opendaylight.controller.cluster.datastore.config.ModuleShardConfigProvider;
import org.opendaylight.controller.cluster.datastore.identifiers.ShardIdentifier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets no write that was acknowledged be lost by a kill, see {@link ShardJournals}, and no entry be lost because
 * numbers are left out or repeated, see {@link EntryNumbers}.
 *
 * <p>The datastore can't start without the configuration of its shards, and {@code configProvider.target} in
 * {@code etc/org.opendaylight.controller.cluster.datastore.cfg} makes it wait for the one of this component, which is
 * upstream's, provided after the journals have been seen to.
 */
@Component(service = ModuleShardConfigProvider.class, property = "sluice.journals=applied")
public final class AcknowledgedWrites implements ModuleShardConfigProvider {
    private static final Logger LOG = LoggerFactory.getLogger(AcknowledgedWrites.class);
    private static final Path SHARDS = Path.of("state", "odl.cluster.server", "shards");
    private static final List<String> TYPES = List.of("config", "operational");

    private final ModuleShardConfigProvider files = new FileModuleShardConfigProvider();

    /** Sees to the journals. If one can't be read, the datastore starts all the same and tells of it in its own way. */
    @Activate
    public AcknowledgedWrites() {
        try {
            final var shards = shardsOfOneMember(new ConfigurationImpl(files));
            for (final var shard : shards) {
                if (new EntryNumbers(SHARDS, shard).mend()) {
                    LOG.warn("The entries of {} were not numbered one by one, and are now", shard);
                }
            }
            final var marked = new ShardJournals(SHARDS).applyAll(shards);
            LOG.info("Shards whose last writes were still to be applied: {}", marked);
        } catch (IOException | RuntimeException e) {
            LOG.error("Writes acknowledged just before a kill may be missing", e);
        }
    }

    @Override
    public Map<String, ModuleConfig.Builder> retrieveModuleConfigs(final Configuration configuration) {
        return files.retrieveModuleConfigs(configuration);
    }

    /** The shards that need nobody's consent to a write. */
    static List<ShardIdentifier> shardsOfOneMember(final Configuration configuration) {
        return configuration.getAllShardNames().stream()
            .filter(name -> configuration.getMembersFromShardName(name).size() == 1)
            .flatMap(name -> configuration.getMembersFromShardName(name).stream()
                .flatMap(member -> TYPES.stream().map(type -> ShardIdentifier.create(name, member, type))))
            .toList();
    }
}
