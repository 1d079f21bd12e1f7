// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell.karaf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.shell.Answer;
import io.sluice.shell.LineCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;
import org.junit.jupiter.api.Test;

class KarafCommandTest {
    private final KarafCommand command = new KarafCommand(new LineCommand() {
        @Override
        public String name() {
            return "fabric-validate";
        }

        @Override
        public String description() {
            return "Compares.";
        }

        @Override
        public Answer run(final List<String> words) {
            return words.contains("--help") ? new Answer.Help("a page") : new Answer.Refused("not " + words);
        }

        @Override
        public List<String> complete(final List<String> before, final String word) {
            return before.isEmpty() ? List.of("--switch", "--json") : List.of("openflow:1", "path/", "list=");
        }
    });

    /** A line whose cursor is at its end, at a word that may be empty. */
    private record Line(String... words) implements CommandLine {
        @Override
        public int getCursorArgumentIndex() {
            return words.length - 1;
        }

        @Override
        public String getCursorArgument() {
            return words[words.length - 1];
        }

        @Override
        public int getArgumentPosition() {
            return getCursorArgument().length();
        }

        @Override
        public String[] getArguments() {
            return words.clone();
        }

        @Override
        public int getBufferPosition() {
            return getBuffer().length();
        }

        @Override
        public String getBuffer() {
            return String.join(" ", words);
        }
    }

    private List<String> complete(final boolean scoped, final String... words) {
        final var line = new Line(words);
        final var candidates = new ArrayList<String>();
        final var begin = command.getCompleter(scoped).complete(null, line, candidates);
        assertEquals(candidates.isEmpty() ? -1 : line.getBufferPosition() - line.getArgumentPosition(), begin);
        return candidates;
    }

    @Test
    void ownNameIsCompleted() {
        assertEquals(List.of("sluice:fabric-validate "), complete(false, "slu"));
        assertEquals(List.of("fabric-validate "), complete(false, "fab"));
        assertEquals(List.of("fabric-validate "), complete(true, ""));
    }

    @Test
    void wordsAreCompletedOfItsOwnLinesOnly() {
        assertEquals(List.of("--switch ", "--json "), complete(false, "sluice:fabric-validate", ""));
        assertEquals(List.of("--switch "), complete(false, "fabric-validate", "--s"));
        assertEquals(List.of("openflow:1 "), complete(false, "fabric-validate", "--switch", "open"));
        assertEquals(List.of(), complete(false, "fabric-sync", "--s"));
    }

    @Test
    void unfinishedWordGetsNoSpace() {
        assertEquals(List.of("path/"), complete(false, "fabric-validate", "x", "pa"));
        assertEquals(List.of("list="), complete(false, "fabric-validate", "x", "li"));
    }

    @Test
    void helpGoesToTheConsole() throws CommandException, InterruptedException {
        final var console = new ByteArrayOutputStream();
        final var session = (Session) Proxy.newProxyInstance(Session.class.getClassLoader(),
            new Class<?>[] {Session.class},
            (self, method, arguments) -> new PrintStream(console, true, StandardCharsets.UTF_8));

        command.execute(session, List.of("--help"));

        assertEquals("a page", console.toString(StandardCharsets.UTF_8).strip());
    }

    @Test
    void refusalIsOneLine() {
        final var refusal = assertThrows(CommandException.class, () -> command.execute(null, List.of("--x", 7L)));
        assertEquals("not [--x, 7]", refusal.getNiceHelp());
        assertEquals("not [--x, 7]", refusal.getMessage());
    }
}
