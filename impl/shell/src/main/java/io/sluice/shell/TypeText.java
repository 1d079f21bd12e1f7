// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.model.api.ConstraintMetaDefinition;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.TypeDefinition;
import org.opendaylight.yangtools.yang.model.api.TypedDataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.type.BooleanTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.EmptyTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.EnumTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.IdentityrefTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.LeafrefTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.LengthConstraint;
import org.opendaylight.yangtools.yang.model.api.type.LengthRestrictedTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.RangeRestrictedTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.StringTypeDefinition;
import org.opendaylight.yangtools.yang.model.api.type.UnionTypeDefinition;

/** Types in words. */
final class TypeText {
    /** A longer pattern says nothing to a reader. */
    private static final int LONGEST_PATTERN = 60;
    private static final Range<Integer> ANY_LENGTH = Range.closed(0, Integer.MAX_VALUE);

    private TypeText() {
    }

    /** Type, range, units and default of a leaf. */
    static String describe(final TypedDataSchemaNode leaf) {
        final var text = new StringBuilder(describe(leaf.getType()));
        leaf.getType().getUnits().ifPresent(units -> text.append(", ").append(units));
        leaf.getType().getDefaultValue().ifPresent(value -> text.append(", default ").append(value));
        return text.toString();
    }

    /** True of a leaf without a value: it is there or not. */
    static boolean isEmpty(final DataSchemaNode node) {
        return node instanceof TypedDataSchemaNode leaf && leaf.getType() instanceof EmptyTypeDefinition;
    }

    /** Names of the typedefs that a type is derived from, nearest first, without the built-in type at the root. */
    static List<QName> typedefs(final TypeDefinition<?> type) {
        final var names = new ArrayList<QName>();
        for (TypeDefinition<?> at = type; at.getBaseType() != null; at = at.getBaseType()) {
            names.add(at.getQName());
        }
        return names;
    }

    /** The error messages that a type's restrictions bring along. */
    static Stream<String> errorMessages(final TypeDefinition<?> type) {
        final Stream<? extends ConstraintMetaDefinition> constraints = switch (type) {
            case StringTypeDefinition text ->
                Stream.concat(text.getPatternConstraints().stream(), text.getLengthConstraint().stream());
            case LengthRestrictedTypeDefinition<?> bytes -> bytes.getLengthConstraint().stream();
            case RangeRestrictedTypeDefinition<?, ?> number -> number.getRangeConstraint().stream();
            default -> Stream.empty();
        };
        return constraints.flatMap(constraint -> constraint.getErrorMessage().stream());
    }

    /** Type and range. */
    static String describe(final TypeDefinition<?> type) {
        return switch (type) {
            case EnumTypeDefinition choices -> choices.getValues().stream()
                .map(EnumTypeDefinition.EnumPair::getName).collect(Collectors.joining(", ", "one of ", ""));
            case BooleanTypeDefinition flag -> "true or false";
            case IdentityrefTypeDefinition reference -> reference.getIdentities().stream()
                .map(identity -> identity.getQName().getLocalName())
                .collect(Collectors.joining(", ", "identity derived from ", ""));
            case LeafrefTypeDefinition reference -> "value of " + reference.getPathStatement().getOriginalString();
            case RangeRestrictedTypeDefinition<?, ?> number -> builtIn(type) + number.getRangeConstraint()
                .map(range -> " " + ranges(range.getAllowedRanges())).orElse("");
            case StringTypeDefinition text -> named(type) + length(text) + pattern(text);
            case LengthRestrictedTypeDefinition<?> bytes -> named(type) + length(bytes);
            case UnionTypeDefinition union when typedefs(union).isEmpty() -> union.getTypes().stream()
                .map(TypeText::describe).collect(Collectors.joining(" or "));
            default -> named(type);
        };
    }

    private static String named(final TypeDefinition<?> type) {
        return typedefs(type).stream().findFirst().map(QName::getLocalName).orElseGet(() -> builtIn(type));
    }

    private static String builtIn(final TypeDefinition<?> type) {
        TypeDefinition<?> at = type;
        while (at.getBaseType() != null) {
            at = at.getBaseType();
        }
        return at.getQName().getLocalName();
    }

    private static String length(final LengthRestrictedTypeDefinition<?> type) {
        return type.getLengthConstraint().map(LengthConstraint::getAllowedRanges)
            .filter(lengths -> !lengths.encloses(ANY_LENGTH))
            .map(lengths -> " of length " + ranges(lengths)).orElse("");
    }

    private static String pattern(final StringTypeDefinition type) {
        return type.getPatternConstraints().stream()
            .map(pattern -> pattern.getRegularExpressionString())
            .filter(pattern -> pattern.length() <= LONGEST_PATTERN)
            .map(pattern -> " matching " + pattern).collect(Collectors.joining(" and"));
    }

    private static String ranges(final RangeSet<?> ranges) {
        return ranges.asRanges().stream().map(TypeText::range).collect(Collectors.joining(" | "));
    }

    private static String range(final Range<?> range) {
        return range.lowerEndpoint().equals(range.upperEndpoint()) ? range.lowerEndpoint().toString()
            : range.lowerEndpoint() + ".." + range.upperEndpoint();
    }
}
