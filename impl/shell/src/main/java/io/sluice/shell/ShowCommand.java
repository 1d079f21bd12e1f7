// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.MapEntryNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;

/** Shows what the datastores hold of an area. */
final class ShowCommand implements LineCommand {
    private static final String JSON = "--json";
    private static final String CONFIG = "--config";
    private static final String HELP = "--help";

    private final SluiceModels models;
    private final DataReader reader;
    private final Places places;

    ShowCommand(final SluiceModels models, final DataReader reader) {
        this.models = models;
        this.reader = reader;
        places = new Places(models, reader, LogicalDatastoreType.OPERATIONAL);
    }

    @Override
    public String name() {
        return "show";
    }

    @Override
    public String description() {
        return "Shows the state of an area, or a part of it.";
    }

    @Override
    public Answer run(final List<String> words) throws InterruptedException {
        final var given = new ArrayList<>(words);
        given.removeAll(List.of(JSON, CONFIG));
        final var unknown = given.stream().filter(word -> word.startsWith("--") && !word.equals(HELP)).findFirst();
        if (unknown.isPresent()) {
            return new Answer.Refused("there is no option " + unknown.orElseThrow() + "; see --help");
        }
        if (given.isEmpty() || given.contains(HELP)) {
            return new Answer.Help(help());
        }
        if (given.size() > 2) {
            return Answer.Refused.surplus(given.get(2));
        }
        return switch (places.find(given.getFirst(), given.size() == 2 ? given.get(1) : "")) {
            case DataPath.Nowhere nowhere -> new Answer.Refused(nowhere.reason());
            case DataPath.Found found -> show(found, words.contains(CONFIG) ? LogicalDatastoreType.CONFIGURATION
                : LogicalDatastoreType.OPERATIONAL, words.contains(JSON));
        };
    }

    private String help() {
        return """
            sluice:show AREA [PATH] [--config] [--json]: shows the state of an area, or a part of it

            AREA        one of AREAS
            PATH        as in RESTCONF, from the area on: switches/switch=openflow:1
            --config    what was configured, instead of the state
            --json      as RFC 7951 has it
            --help      this page""".replace("AREAS", String.join(", ", places.areas()));
    }

    private Answer show(final DataPath.Found place, final LogicalDatastoreType store, final boolean asJson)
            throws InterruptedException {
        final Optional<NormalizedNode> data;
        try {
            data = reader.read(store, place.path());
        } catch (ReadFailedException e) {
            return Answer.Refused.unread(e);
        }
        final var json = data.map(node -> new Rfc7951(models.context())
            .members(place.parent(), null, List.of(whole(node)))).orElseGet(JsonObject::new);
        return new Answer.Text(asJson ? Rfc7951.print(json) : json.isEmpty() ? Answer.Text.NOTHING.text()
            : TextReport.of(models, place.schema(), only(json.asMap())));
    }

    /** An entry can be written as a part of its list only. */
    private static NormalizedNode whole(final NormalizedNode node) {
        return node instanceof MapEntryNode entry ? ImmutableNodes.newSystemMapBuilder()
            .withNodeIdentifier(NodeIdentifier.create(entry.name().getNodeType())).withChild(entry).build() : node;
    }

    private static JsonElement only(final Map<String, JsonElement> members) {
        return members.values().iterator().next();
    }

    @Override
    public List<String> complete(final List<String> before, final String word) throws InterruptedException {
        final var given = before.stream().filter(place -> !place.startsWith("--")).toList();
        final var candidates = new ArrayList<>(List.of(JSON, CONFIG, HELP));
        candidates.removeAll(before);
        if (given.isEmpty()) {
            candidates.addAll(places.areas());
        } else if (given.size() == 1) {
            candidates.addAll(places.complete(given.getFirst(), word));
        }
        return candidates;
    }
}
