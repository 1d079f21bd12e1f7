// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opendaylight.controller.cluster.datastore.config.ConfigurationImpl;
import org.opendaylight.controller.cluster.datastore.identifiers.ShardIdentifier;

class AcknowledgedWritesTest {
    @TempDir
    private Path folder;

    @Test
    void shardsOfSeveralMembersAreLeftToTheirVote() throws IOException {
        final var shards = Files.writeString(folder.resolve("module-shards.conf"), """
            module-shards = [
              { name = "default", shards = [{ name = "default", replicas = ["member-2"] }] },
              { name = "topology", shards = [{ name = "topology", replicas = ["member-1", "member-2"] }] }
            ]""");
        final var modules = Files.writeString(folder.resolve("modules.conf"), """
            modules = [{ name = "topology", namespace = "urn:topology", shard-strategy = "module" }]""");

        final var found = AcknowledgedWrites.shardsOfOneMember(
            new ConfigurationImpl(shards.toString(), modules.toString()));

        assertEquals(Set.of("member-2-shard-default-config", "member-2-shard-default-operational"),
            found.stream().map(ShardIdentifier::toString).collect(Collectors.toSet()));
    }
}
