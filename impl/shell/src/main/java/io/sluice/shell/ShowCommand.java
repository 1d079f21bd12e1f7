// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.MapEntryNode;
import org.opendaylight.yangtools.yang.data.api.schema.MapNode;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.spi.node.ImmutableNodes;
import org.opendaylight.yangtools.yang.model.api.ContainerSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.Module;

/** Shows what the datastores hold of an area. */
final class ShowCommand implements LineCommand {
    private static final String JSON = "--json";
    private static final String CONFIG = "--config";
    private static final String HELP = "--help";

    private final SluiceModels models;
    private final DataReader reader;
    private final Map<String, Module> areas = new TreeMap<>();

    ShowCommand(final SluiceModels models, final DataReader reader) {
        this.models = models;
        this.reader = reader;
        areas.putAll(models.areas());
        areas.values().removeIf(module -> module.getChildNodes().isEmpty());
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
        final var places = new ArrayList<>(words);
        places.removeAll(List.of(JSON, CONFIG));
        final var unknown = places.stream().filter(word -> word.startsWith("--") && !word.equals(HELP)).findFirst();
        if (unknown.isPresent()) {
            return new Answer.Refused("there is no option " + unknown.orElseThrow() + "; see --help");
        }
        if (places.isEmpty() || places.contains(HELP)) {
            return new Answer.Help(help());
        }
        final var module = areas.get(places.getFirst());
        if (module == null) {
            return new Answer.Refused("there is no area '" + places.getFirst() + "', only "
                + String.join(", ", areas.keySet()));
        }
        if (places.size() > 2) {
            return new Answer.Refused("'" + places.get(2) + "' is one word too many; see --help");
        }
        return switch (DataPath.of(models, module, places.size() == 2 ? places.get(1) : "")) {
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
            --help      this page""".replace("AREAS", String.join(", ", areas.keySet()));
    }

    private Answer show(final DataPath.Found place, final LogicalDatastoreType store, final boolean asJson)
            throws InterruptedException {
        final Optional<NormalizedNode> data;
        try {
            data = reader.read(store, place.path());
        } catch (ReadFailedException e) {
            return new Answer.Refused("the datastore can't be read: " + e.getMessage());
        }
        final var json = data.map(node -> new Rfc7951(models.context())
            .members(place.parent(), null, List.of(whole(node)))).orElseGet(JsonObject::new);
        return new Answer.Text(asJson ? Rfc7951.print(json) : json.isEmpty() ? "nothing is there"
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
        final var places = before.stream().filter(given -> !given.startsWith("--")).toList();
        final var candidates = new ArrayList<>(List.of(JSON, CONFIG, HELP));
        candidates.removeAll(before);
        if (places.isEmpty()) {
            candidates.addAll(areas.keySet());
        } else if (places.size() == 1 && areas.containsKey(places.getFirst())) {
            candidates.addAll(paths(areas.get(places.getFirst()), word));
        }
        return candidates;
    }

    /** What may follow the last slash: the children of what is before it, entries of lists with their keys. */
    private List<String> paths(final Module module, final String word) throws InterruptedException {
        final var parent = word.substring(0, Math.max(0, word.lastIndexOf('/')));
        final var before = word.substring(0, word.lastIndexOf('/') + 1);
        final var paths = new ArrayList<String>();
        if (DataPath.of(models, module, parent) instanceof DataPath.Found place) {
            for (var field : models.fields(place.schema()).entrySet()) {
                final var path = before + field.getKey();
                switch (field.getValue()) {
                    case ListSchemaNode list -> paths.addAll(entries(module, path));
                    case ContainerSchemaNode container -> paths.add(path + "/");
                    default -> paths.add(path);
                }
            }
        }
        return paths;
    }

    /** A list as a whole, and each entry that its state has. */
    private List<String> entries(final Module module, final String list) throws InterruptedException {
        final var paths = new ArrayList<>(List.of(list));
        try {
            if (DataPath.of(models, module, list) instanceof DataPath.Found place && reader.read(
                    LogicalDatastoreType.OPERATIONAL, place.path()).orElse(null) instanceof MapNode entries) {
                entries.body().forEach(entry -> paths.add(list + entry.name().values().stream()
                    .map(key -> DataPath.encode(key.toString())).collect(Collectors.joining(",", "=", "/"))));
            }
        } catch (ReadFailedException e) {
            return paths;
        }
        return paths;
    }
}
