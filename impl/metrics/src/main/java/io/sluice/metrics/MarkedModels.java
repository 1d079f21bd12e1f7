// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import io.prometheus.metrics.model.snapshots.MetricMetadata;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.model.api.ChoiceSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ContainerSchemaNode;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.EffectiveStatementEquivalent;
import org.opendaylight.yangtools.yang.model.api.LeafSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.TypeDefinition;
import org.opendaylight.yangtools.yang.model.api.meta.DeclaredStatement;
import org.opendaylight.yangtools.yang.model.api.stmt.UnrecognizedStatement;
import org.opendaylight.yangtools.yang.model.api.type.BooleanTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.EnumTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.EnumTypeDefinition.EnumPair;
import org.opendaylight.yangtools.yang.model.api.type.RangeRestrictedTypeDefinition;

/**
 * Finds the metrics of Sluice's models: leaves and lists that bear {@code sluice-types:metric}, in the data of modules
 * whose namespace begins with {@code urn:sluice:}.
 *
 * <p>A metric is named {@code sluice_<area>_<path>_<base unit>}. A container adds nothing to the path if it is the
 * area's root ({@code /fabric} of {@code urn:sluice:fabric}), or for a list that it is the plural of ({@code links} for
 * {@code link}). A marked list counts its entries and ends in {@code _entries}. The label of a key is
 * {@code <list>_<key>}. The help is the first sentence of the description.
 */
final class MarkedModels {
    private static final String NAMESPACE = "urn:sluice:";
    private static final String EXTENSION_NAMESPACE = NAMESPACE + "types";
    private static final String EXTENSION = "metric";

    private final Set<String> names = new HashSet<>();

    private MarkedModels() {
        // one for each reading
    }

    /**
     * Reads the models.
     *
     * @return the top-level nodes with metrics in them
     * @throws IllegalArgumentException if a mark stands where it can't, or two metrics have one name
     */
    static List<Part> read(final EffectiveModelContext models) {
        final var reader = new MarkedModels();
        return models.getChildNodes().stream()
            .filter(node -> namespace(node.getQName()).startsWith(NAMESPACE))
            .flatMap(node -> reader.root(node).stream()).toList();
    }

    private Optional<Part> root(final DataSchemaNode node) {
        final String area = namespace(node.getQName()).substring(NAMESPACE.length());
        final String prefix = word("sluice", area);
        return node instanceof ContainerSchemaNode container && area.equals(node.getQName().getLocalName())
            ? group(container.getQName(), parts(container.getChildNodes(), prefix)) : part(node, prefix);
    }

    private Optional<Part> part(final DataSchemaNode node, final String prefix) {
        return switch (node) {
            case LeafSchemaNode leaf -> value(leaf, prefix);
            case ListSchemaNode list -> entries(list, prefix);
            case ContainerSchemaNode container -> container(unmarked(container), prefix);
            case ChoiceSchemaNode choice -> group(unmarked(choice).getQName(), choice.getCases().stream()
                .flatMap(option -> parts(option.getChildNodes(), prefix)));
            default -> {
                unmarked(node);
                yield Optional.empty();
            }
        };
    }

    private Stream<Part> parts(final Collection<? extends DataSchemaNode> nodes, final String prefix) {
        return nodes.stream().flatMap(node -> part(node, prefix).stream());
    }

    private Optional<Part> container(final ContainerSchemaNode container, final String prefix) {
        final String name = container.getQName().getLocalName();
        return group(container.getQName(), container.getChildNodes().stream().flatMap(node -> {
            final boolean plural = node instanceof ListSchemaNode && name.startsWith(node.getQName().getLocalName());
            return part(node, plural ? prefix : word(prefix, name)).stream();
        }));
    }

    private static Optional<Part> group(final QName name, final Stream<Part> found) {
        final var parts = found.toList();
        return parts.isEmpty() ? Optional.empty() : Optional.of(new Part.Group(new NodeIdentifier(name), parts));
    }

    private Optional<Part> entries(final ListSchemaNode list, final String prefix) {
        final String name = list.getQName().getLocalName();
        final String path = word(prefix, name);
        final var count = kind(list).map(kind -> switch (kind) {
            case "gauge" -> (Metric) new Metric.Gauge(new MetricMetadata(unused(word(path, "entries"), list),
                "Number of entries: " + firstSentence(list)), Scale.NONE);
            default -> throw wrong(list, "the number of entries is a gauge");
        });
        final var parts = parts(list.getChildNodes(), path).toList();
        if (count.isEmpty() && parts.isEmpty()) {
            return Optional.empty();
        }
        if (list.getKeyDefinition().isEmpty()) {
            throw wrong(list, "without a key its entries can't be told apart");
        }
        final var labels = list.getKeyDefinition().stream().collect(Collectors.toMap(key -> key,
            key -> word(name.replace('-', '_'), key.getLocalName()), (first, second) -> first, LinkedHashMap::new));
        return Optional.of(new Part.Entries(new NodeIdentifier(list.getQName()), count, labels, parts));
    }

    private Optional<Part> value(final LeafSchemaNode leaf, final String prefix) {
        return kind(leaf).map(kind -> new Part.Value(new NodeIdentifier(leaf.getQName()), metric(leaf, kind, prefix)));
    }

    private Metric metric(final LeafSchemaNode leaf, final String kind, final String prefix) {
        final var type = leaf.getType();
        final String path = word(prefix, leaf.getQName().getLocalName());
        return switch (type) {
            case RangeRestrictedTypeDefinition<?, ?> number -> number(leaf, kind, path);
            case BooleanTypeDefinition truth when isGauge(kind) ->
                new Metric.Gauge(new MetricMetadata(unused(path, leaf), firstSentence(leaf)), Scale.NONE);
            case EnumTypeDefinition states when isGauge(kind) ->
                new Metric.State(new MetricMetadata(unused(path, leaf), firstSentence(leaf)),
                    states.getValues().stream().map(EnumPair::getName).toList());
            default -> throw wrong(leaf, "a " + type.getQName().getLocalName() + " is no " + kind);
        };
    }

    private Metric number(final LeafSchemaNode leaf, final String kind, final String path) {
        final var scale = units(leaf.getType()).map(Scale::of).orElse(Scale.NONE);
        final String name = unused(scale.unit().map(unit -> endIn(path, unit.toString())).orElse(path), leaf);
        final var metadata = new MetricMetadata(name, firstSentence(leaf), scale.unit().orElse(null));
        return switch (kind) {
            case "counter" -> new Metric.Counter(metadata, scale);
            case "gauge" -> new Metric.Gauge(metadata, scale);
            default -> throw wrong(leaf, "there is no metric of the kind " + kind);
        };
    }

    private static boolean isGauge(final String kind) {
        return kind.equals("gauge");
    }

    private static Optional<String> units(final TypeDefinition<?> type) {
        return type == null ? Optional.empty() : type.getUnits().or(() -> units(type.getBaseType()));
    }

    /** The parser keeps statements that it does not know in what was declared, and only there. */
    private static Optional<String> kind(final DataSchemaNode node) {
        return node instanceof EffectiveStatementEquivalent<?> known
            ? Optional.ofNullable(known.asEffectiveStatement().getDeclared()).flatMap(MarkedModels::mark)
            : Optional.empty();
    }

    private static Optional<String> mark(final DeclaredStatement<?> declared) {
        return declared.declaredSubstatements(UnrecognizedStatement.class).stream()
            .filter(statement -> isMark(statement.statementDefinition().getStatementName()))
            .map(UnrecognizedStatement::rawArgument).findFirst();
    }

    private static boolean isMark(final QName name) {
        return namespace(name).equals(EXTENSION_NAMESPACE) && name.getLocalName().equals(EXTENSION);
    }

    private static <T extends DataSchemaNode> T unmarked(final T node) {
        if (kind(node).isPresent()) {
            throw wrong(node, "only leaves and lists are metrics");
        }
        return node;
    }

    private String unused(final String name, final DataSchemaNode node) {
        if (!names.add(name)) {
            throw wrong(node, "there is another metric named " + name);
        }
        return name;
    }

    private static IllegalArgumentException wrong(final DataSchemaNode node, final String why) {
        return new IllegalArgumentException(node.getQName() + " can't be a metric: " + why);
    }

    private static String firstSentence(final DataSchemaNode node) {
        final String text = node.getDescription().orElse("").strip().replaceAll("\\s+", " ");
        final int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end + 1);
    }

    private static String word(final String prefix, final String name) {
        return prefix + "_" + name.replace('-', '_');
    }

    private static String endIn(final String path, final String unit) {
        return path.endsWith("_" + unit) ? path : word(path, unit);
    }

    private static String namespace(final QName name) {
        return name.getNamespace().toString();
    }
}
