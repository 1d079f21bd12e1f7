// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.opendaylight.yangtools.yang.model.api.DataSchemaNode;
import org.opendaylight.yangtools.yang.model.api.LeafListSchemaNode;
import org.opendaylight.yangtools.yang.model.api.LeafSchemaNode;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;

/**
 * The options of one command line, gathered into the members of a JSON object. The command's own options, which an
 * input of the same name can't take from it (it is given by {@code --input} then): {@code --json}, {@code --help},
 * {@code --input JSON}.
 */
final class OptionLine {
    private static final String JSON = "json";
    private static final String HELP = "help";
    private static final String INPUT = "input";

    static final Set<String> RESERVED = Set.of(JSON, HELP, INPUT);

    private final Map<String, DataSchemaNode> options;
    private final String module;
    private final JsonObject given = new JsonObject();
    private JsonObject whole = new JsonObject();
    private boolean jsonWanted;
    private boolean helpWanted;

    /**
     * Begins with nothing given.
     *
     * @param options inputs of the RPC
     * @param module name of the RPC's module
     */
    OptionLine(final Map<String, DataSchemaNode> options, final String module) {
        this.options = options;
        this.module = module;
    }

    boolean json() {
        return jsonWanted;
    }

    boolean help() {
        return helpWanted;
    }

    /** All that was given; an option counts before the member of {@code --input} that has its name. */
    JsonObject members() {
        final var members = whole.deepCopy();
        given.entrySet().forEach(member -> members.add(member.getKey(), member.getValue()));
        return members;
    }

    /** True if a value follows the option. */
    static boolean takesValue(final Map<String, DataSchemaNode> options, final String name) {
        return switch (name) {
            case JSON, HELP -> false;
            case INPUT -> true;
            default -> options.containsKey(name) && !TypeText.isEmpty(options.get(name));
        };
    }

    /** Takes the words; returns what is wrong with them. */
    Optional<String> read(final List<String> words) {
        final var rest = new ArrayDeque<>(words);
        while (!rest.isEmpty()) {
            final var wrong = take(rest.pop(), rest);
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    private Optional<String> take(final String word, final Deque<String> rest) {
        if (!word.startsWith("--")) {
            return Optional.of("'" + word + "' is not understood: each value follows its option; see --help");
        }
        final var parts = word.substring(2).split("=", 2);
        final var name = parts[0];
        if (name.equals(JSON) || name.equals(HELP)) {
            jsonWanted |= name.equals(JSON);
            helpWanted |= name.equals(HELP);
            return Optional.empty();
        }
        if (!name.equals(INPUT) && !options.containsKey(name)) {
            return Optional.of("there is no option --" + name + "; see --help");
        }
        if (!takesValue(options, name)) {
            return put(name, options.get(name), "");
        }
        if (parts.length == 1 && rest.isEmpty()) {
            return Optional.of("--" + name + " needs a value");
        }
        final var value = parts.length == 2 ? parts[1] : rest.pop();
        return name.equals(INPUT) ? putWhole(value) : put(name, options.get(name), value);
    }

    private Optional<String> put(final String name, final DataSchemaNode schema, final String value) {
        if (given.has(name) && !(schema instanceof LeafListSchemaNode || schema instanceof ListSchemaNode)) {
            return Optional.of("--" + name + " is given twice");
        }
        if (TypeText.isEmpty(schema)) {
            given.add(name, Rfc7951.array(JsonNull.INSTANCE));
            return Optional.empty();
        }
        return switch (schema) {
            case LeafSchemaNode leaf -> {
                given.addProperty(name, value);
                yield Optional.empty();
            }
            case LeafListSchemaNode list -> append(name, Rfc7951.array(new JsonPrimitive(value)));
            case ListSchemaNode list -> Rfc7951.parse(value)
                .map(json -> append(name, json.isJsonArray() ? json.getAsJsonArray() : Rfc7951.array(json)))
                .orElseGet(() -> notJson(name));
            default -> Rfc7951.parse(value)
                .map(json -> {
                    given.add(name, json);
                    return Optional.<String>empty();
                })
                .orElseGet(() -> notJson(name));
        };
    }

    private Optional<String> append(final String name, final JsonArray values) {
        final var all = given.has(name) ? given.getAsJsonArray(name) : new JsonArray();
        all.addAll(values);
        given.add(name, all);
        return Optional.empty();
    }

    /** Takes {@code {"name": ...}}, with or without the module before a name, or RESTCONF's envelope around it. */
    private Optional<String> putWhole(final String value) {
        if (!(Rfc7951.parse(value).orElse(null) instanceof JsonObject json)) {
            return notJson(INPUT);
        }
        var members = json;
        if (members.get(module + ":input") instanceof JsonObject enveloped) {
            members = enveloped;
        }
        whole = new JsonObject();
        members.entrySet().forEach(member -> whole.add(
            member.getKey().startsWith(module + ":") ? member.getKey().substring(module.length() + 1) : member.getKey(),
            member.getValue()));
        return Optional.empty();
    }

    private static Optional<String> notJson(final String name) {
        return Optional.of("--" + name + " takes " + Rfc7951.EXAMPLE);
    }
}
