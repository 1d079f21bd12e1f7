// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.yangtools.yang.data.api.schema.MapNode;
import org.opendaylight.yangtools.yang.model.api.ContainerSchemaNode;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.Module;

/** What one datastore can hold of our modules, by area and path. */
final class Places {
    private final SluiceModels models;
    private final DataReader reader;
    private final LogicalDatastoreType store;
    private final Map<String, Module> areas = new TreeMap<>();

    Places(final SluiceModels models, final DataReader reader, final LogicalDatastoreType store) {
        this.models = models;
        this.reader = reader;
        this.store = store;
        areas.putAll(models.areas());
        areas.values().removeIf(module -> module.getChildNodes().stream().noneMatch(this::canHold));
    }

    /** The areas that have places, in order. */
    Collection<String> areas() {
        return Collections.unmodifiableSet(areas.keySet());
    }

    /** Follows a path from the top-level node of an area on. */
    DataPath find(final String area, final String path) {
        if (!areas.containsKey(area)) {
            return new DataPath.Nowhere("there is no area '" + area + "', only " + String.join(", ", areas.keySet()));
        }
        final var place = DataPath.of(models, areas.get(area), path);
        return place instanceof DataPath.Found found && !canHold(found.schema())
            ? new DataPath.Nowhere("'" + path + "' is state, which can't be configured") : place;
    }

    private boolean canHold(final DataSchemaNode node) {
        return store == LogicalDatastoreType.OPERATIONAL || SluiceModels.isConfiguration(node);
    }

    /**
     * What a path may become: what is before its last slash, with the children of that. Entries of lists come with
     * their keys.
     */
    List<String> complete(final String area, final String path) throws InterruptedException {
        final var before = path.substring(0, path.lastIndexOf('/') + 1);
        final var paths = new ArrayList<String>();
        if (find(area, before) instanceof DataPath.Found place) {
            for (var field : models.fields(place.schema()).entrySet()) {
                final var child = before + field.getKey();
                switch (field.getValue()) {
                    case DataSchemaNode node when !canHold(node) || isFixed(place.schema(), node) -> { }
                    case ListSchemaNode list -> paths.addAll(entries(area, child));
                    case ContainerSchemaNode container -> paths.add(child + "/");
                    default -> paths.add(child);
                }
            }
        }
        return paths;
    }

    /** The keys of an entry can't be configured anew. */
    private boolean isFixed(final DataSchemaNode parent, final DataSchemaNode node) {
        return store == LogicalDatastoreType.CONFIGURATION && parent instanceof ListSchemaNode list
            && list.getKeyDefinition().contains(node.getQName());
    }

    /** A list as a whole, and each entry that the datastore has. */
    private List<String> entries(final String area, final String list) throws InterruptedException {
        final var paths = new ArrayList<>(List.of(list));
        try {
            if (find(area, list) instanceof DataPath.Found place
                    && reader.read(store, place.path()).orElse(null) instanceof MapNode entries) {
                entries.body().forEach(entry -> paths.add(list + entry.name().values().stream()
                    .map(key -> DataPath.encode(key.toString())).collect(Collectors.joining(",", "=", "/"))));
            }
        } catch (ReadFailedException e) {
            return paths;
        }
        return paths;
    }
}
