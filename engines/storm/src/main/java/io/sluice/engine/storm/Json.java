// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

import java.util.List;
import java.util.Map;
import org.apache.storm.shade.net.minidev.json.JSONStyle;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.shade.net.minidev.json.parser.ParseException;

/** JSON, by the library that Storm has; what is asked for and not there is told by its name. */
public final class Json {
    private Json() {
        // functions
    }

    /** Writes maps, lists, texts and numbers. */
    public static String write(final Map<String, ?> object) {
        return JSONValue.toJSONString(object, JSONStyle.NO_COMPRESS);
    }

    /**
     * Reads an object.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static Map<?, ?> read(final String text) {
        try {
            if (JSONValue.parseStrict(text) instanceof Map<?, ?> object) {
                return object;
            }
        } catch (ParseException e) {
            throw new IllegalArgumentException("no JSON: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("JSON, but no object");
    }

    /** A member that is a whole number of at least {@code least}. */
    public static long number(final Map<?, ?> object, final String name, final long least) {
        final Object value = object.get(name);
        if ((value instanceof Integer || value instanceof Long) && ((Number) value).longValue() >= least) {
            return ((Number) value).longValue();
        }
        throw new IllegalArgumentException("'" + name + "' is no whole number of at least " + least);
    }

    /** The same, and at most {@code most}. */
    public static int number(final Map<?, ?> object, final String name, final int least, final int most) {
        final long number = number(object, name, least);
        if (number > most) {
            throw new IllegalArgumentException("'" + name + "' is more than " + most);
        }
        return (int) number;
    }

    /** A member that is a text. */
    public static String text(final Map<?, ?> object, final String name) {
        if (object.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("'" + name + "' is no text");
    }

    /** A member that is a list of objects; an empty list if there is none. */
    public static List<Map<?, ?>> objects(final Map<?, ?> object, final String name) {
        if (!object.containsKey(name)) {
            return List.of();
        }
        if (object.get(name) instanceof List<?> list && list.stream().allMatch(Map.class::isInstance)) {
            return list.stream().<Map<?, ?>>map(Map.class::cast).toList();
        }
        throw new IllegalArgumentException("'" + name + "' is no list of objects");
    }
}
