// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.ArrayList;
import java.util.List;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;

/** Changes one place of the configuration; its words are the place's area and path, and maybe values. */
final class ConfigurationCommand implements LineCommand {
    private static final String HELP = "--help";

    private final SluiceModels models;
    private final Places places;
    private final Change change;

    ConfigurationCommand(final SluiceModels models, final Places places, final Change change) {
        this.models = models;
        this.places = places;
        this.change = change;
    }

    @Override
    public String name() {
        return change.name();
    }

    @Override
    public String description() {
        return change.description();
    }

    @Override
    public Answer run(final List<String> words) throws InterruptedException {
        final var given = words.stream().filter(word -> !word.equals(HELP)).toList();
        if (words.isEmpty() || given.size() < 2 && words.contains(HELP)) {
            return new Answer.Help(change.help().replace("AREAS", String.join(", ", places.areas())));
        }
        final var path = given.size() < 2 ? "" : withoutSlashesBehind(given.get(1));
        if (path.isEmpty()) {
            return new Answer.Refused("PATH is missing; see --help");
        }
        return switch (places.find(given.getFirst(), path)) {
            case DataPath.Nowhere nowhere -> new Answer.Refused(nowhere.reason());
            case DataPath.Found place when words.contains(HELP) ->
                new Answer.Help(HelpPage.of(models, path, place));
            case DataPath.Found place when place.isKey() ->
                new Answer.Refused("'" + path + "' is the key of its entry, which can't get another one");
            case DataPath.Found place ->
                make(new Change.Target(given.getFirst(), path, place, given.subList(2, given.size())));
        };
    }

    private Answer make(final Change.Target target) throws InterruptedException {
        try {
            return change.make(target);
        } catch (ReadFailedException e) {
            return Answer.Refused.unread(e);
        } catch (TransactionCommitFailedException e) {
            return new Answer.Refused("the datastore does not take it: " + e.getMessage());
        }
    }

    /** An entry of a list is completed with a slash behind. */
    private static String withoutSlashesBehind(final String path) {
        return path.replaceFirst("/+$", "");
    }

    @Override
    public List<String> complete(final List<String> before, final String word) throws InterruptedException {
        final var given = before.stream().filter(place -> !place.equals(HELP)).toList();
        final var candidates = new ArrayList<String>();
        if (given.size() == before.size()) {
            candidates.add(HELP);
        }
        switch (given.size()) {
            case 0 -> candidates.addAll(places.areas());
            case 1 -> candidates.addAll(places.complete(given.getFirst(), word));
            default -> {
                if (places.find(given.getFirst(), given.get(1)) instanceof DataPath.Found place && !place.isKey()) {
                    candidates.addAll(change.complete(new Change.Target(given.getFirst(), given.get(1), place,
                        given.subList(2, given.size()))));
                }
            }
        }
        return candidates;
    }
}
