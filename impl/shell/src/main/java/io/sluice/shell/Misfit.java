// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.common.base.Throwables;
import com.google.gson.JsonElement;
import java.util.Objects;
import org.opendaylight.yangtools.yang.data.api.YangNetconfError;
import org.opendaylight.yangtools.yang.data.api.YangNetconfErrorAware;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;

/** Why a value is not what its model asks for, in a line. */
final class Misfit {
    private Misfit() {
    }

    /** What follows the name of a value: the type's own error message if it has one for this, else what the type is. */
    static String of(final DataSchemaNode schema, final JsonElement value, final RuntimeException failure) {
        final var reason = reason(failure);
        return schema instanceof TypedDataSchemaNode leaf
            && TypeText.errorMessages(leaf.getType()).noneMatch(reason::equals)
            ? " takes " + TypeText.describe(leaf.getType()) + ", not " + value : ": " + reason;
    }

    /**
     * What was found wrong, else what the innermost cause says, in its first line; revisions of modules are of no use
     * to the reader.
     */
    static String reason(final RuntimeException failure) {
        final var chain = Throwables.getCausalChain(failure);
        return chain.stream()
            .filter(YangNetconfErrorAware.class::isInstance)
            .flatMap(cause -> ((YangNetconfErrorAware) cause).getNetconfErrors().stream())
            .map(YangNetconfError::message)
            .filter(Objects::nonNull)
            .findFirst()
            .orElseGet(() -> String.valueOf(chain.getLast().getMessage()).lines().findFirst().orElse("")
                .replaceAll("\\(urn:[^)]*\\)", ""));
    }
}
