// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.List;
import java.util.Optional;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;
import org.opendaylight.yangtools.yang.model.api.LeafListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;

/** Puts a value in place of what is configured. The entries of lists around it must be there: a typo makes none. */
final class SetChange implements Change {
    private final Places places;
    private final ValueReader values;
    private final KnownValues known;
    private final DataReader reader;
    private final DataWriter writer;

    SetChange(final Places places, final ValueReader values, final KnownValues known, final DataReader reader,
            final DataWriter writer) {
        this.places = places;
        this.values = values;
        this.known = known;
        this.reader = reader;
        this.writer = writer;
    }

    @Override
    public String name() {
        return "set";
    }

    @Override
    public String description() {
        return "Configures a value, in place of what is configured there.";
    }

    @Override
    public String help() {
        return """
            sluice:set AREA PATH [VALUE...]: configures a value, in place of what is configured there

            AREA        one of AREAS
            PATH        as in RESTCONF, from the area on: tenant=t/application=a/weight
            VALUE       of a leaf as it is, none if its type is empty; of a leaf-list each element; of a container, a
                        list or an entry of one JSON (RFC 7951) in single quotes, without the keys that PATH names
            --help      this page; after a PATH, what VALUE may be""";
    }

    @Override
    public Answer make(final Target target)
            throws InterruptedException, ReadFailedException, TransactionCommitFailedException {
        final var lacking = lackingEntry(target);
        if (lacking.isPresent()) {
            return new Answer.Refused("'" + lacking.orElseThrow() + "' is not configured; set it first");
        }
        return switch (values.read(target)) {
            case ValueReader.Value.Wrong wrong -> new Answer.Refused(wrong.reason());
            case ValueReader.Value.Read read -> {
                writer.put(target.place().path(), read.node());
                yield new Answer.Text("done");
            }
        };
    }

    /** The first entry of a list on the way that is not configured. */
    private Optional<String> lackingEntry(final Target target) throws InterruptedException, ReadFailedException {
        final var path = target.path();
        for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
            final var above = path.substring(0, end);
            if (places.find(target.area(), above) instanceof DataPath.Found place && place.keys().isPresent()
                    && reader.read(LogicalDatastoreType.CONFIGURATION, place.path()).isEmpty()) {
                return Optional.of(above);
            }
        }
        return Optional.empty();
    }

    @Override
    public List<String> complete(final Target target) throws InterruptedException {
        final var schema = target.place().schema();
        return schema instanceof TypedDataSchemaNode leaf
            && (target.values().isEmpty() || schema instanceof LeafListSchemaNode)
            ? List.copyOf(known.of(target.place().parent(), leaf)) : List.of();
    }
}
