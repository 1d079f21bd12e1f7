// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell.karaf;

import io.sluice.shell.Answer;
import io.sluice.shell.LineCommand;
import java.util.Arrays;
import java.util.List;
import org.apache.karaf.shell.api.console.Command;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Parser;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;

/** A {@link LineCommand} as the Karaf shell knows commands. */
final class KarafCommand implements Command {
    static final String SCOPE = "sluice";

    private final LineCommand command;

    KarafCommand(final LineCommand command) {
        this.command = command;
    }

    @Override
    public String getScope() {
        return SCOPE;
    }

    @Override
    public String getName() {
        return command.name();
    }

    @Override
    public String getDescription() {
        return command.description();
    }

    @Override
    public Parser getParser() {
        return null;
    }

    /**
     * Prints the answer to where a pipe may lead it, and a help page to where the shell's own {@code help} looks for
     * it. The exception of a refusal is one that the shell prints as a line, without its trace.
     */
    @Override
    public Object execute(final Session session, final List<Object> arguments)
            throws CommandException, InterruptedException {
        switch (command.run(arguments.stream().map(String::valueOf).toList())) {
            case Answer.Text answer -> System.out.println(answer.text());
            case Answer.Help help -> session.getConsole().println(help.page());
            case Answer.Refused refused -> throw new CommandException(refused.reason(), refused.reason());
        }
        return null;
    }

    @Override
    public Completer getCompleter(final boolean scoped) {
        final var names = scoped ? List.of(getName()) : List.of(SCOPE + ":" + getName(), getName());
        return (session, line, candidates) -> complete(names, line, candidates);
    }

    /** The shell asks every command about every line, so it may be another's. */
    private int complete(final List<String> names, final CommandLine line, final List<String> candidates) {
        final var typed = line.getCursorArgument() == null ? ""
            : line.getCursorArgument().substring(0, line.getArgumentPosition());
        candidates(names, line, typed).stream()
            .filter(candidate -> candidate.startsWith(typed))
            .map(candidate -> candidate.endsWith("/") || candidate.endsWith("=") ? candidate : candidate + " ")
            .forEach(candidates::add);
        return candidates.isEmpty() ? -1 : line.getBufferPosition() - line.getArgumentPosition();
    }

    private List<String> candidates(final List<String> names, final CommandLine line, final String typed) {
        if (line.getCursorArgumentIndex() == 0) {
            return names;
        }
        final var words = Arrays.asList(line.getArguments());
        if (!names.contains(words.getFirst())) {
            return List.of();
        }
        try {
            return command.complete(words.subList(1, line.getCursorArgumentIndex()), typed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
