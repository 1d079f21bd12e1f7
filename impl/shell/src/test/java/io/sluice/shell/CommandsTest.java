// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandsTest {
    private final List<LineCommand> commands = new FakeController().commands();

    @Test
    void everyRpcOfOursHasItsOwnCommand() {
        final var names = commands.stream().map(LineCommand::name).toList();
        assertTrue(names.containsAll(List.of("show", "fabric-validate", "fabric-sync", "multipath-request-transfer",
            "multipath-explain", "multipath-find-paths", "multipath-rebalance", "shell-test-paint",
            "shell-test-wait")), names.toString());
        assertEquals(names.size(), new HashSet<>(names).size());
    }

    @Test
    void everyCommandExplainsItself() throws InterruptedException {
        for (var command : commands) {
            assertFalse(command.description().isEmpty(), command.name());
            assertTrue(command.run(List.of("--help")) instanceof Answer.Help help
                && help.page().contains(command.name()), command.name());
        }
    }
}
