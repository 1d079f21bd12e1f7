// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.sluice.api.Bandwidth;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Numbering;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Routing;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Network and chains as the controller is told of them: JSON of {@code sluice-planner} (RFC 7951). As there, things are
 * numbered in the order of their names, absent leaves are what the model says, and references must lead somewhere.
 */
public final class PlannerFile {
    private static final String ROOT = "sluice-planner:planner";
    private static final String NAME = "name";
    private static final long MAX_UINT32 = 0xFFFF_FFFFL;
    private static final Kind PLANNER = new Kind("planner", List.of(), Set.of("headroom", "moves-interval", "node",
        "link", "routing", "site", "vnf", "chain", "run", "plan", "risk"));
    private static final Kind NODE = new Kind("node", List.of(NAME), Set.of());
    private static final Kind LINK = new Kind("link", List.of(NAME),
        Set.of("from", "to", "bandwidth", "background", "utilisation-limit", "delay", "weight"));
    private static final Kind ROUTING = new Kind("routing", List.of("from", "to"), Set.of("link", "delay"));
    private static final Kind SHARE = new Kind("link", List.of(NAME), Set.of("share"));
    private static final Kind SITE = new Kind("site", List.of(NAME), Set.of("node", "capacity"));
    private static final Kind VNF = new Kind("vnf", List.of(NAME), Set.of("load", "deployment"));
    private static final Kind DEPLOYMENT = new Kind("deployment", List.of("site"), Set.of("capacity"));
    private static final Kind CHAIN = new Kind("chain", List.of(NAME),
        Set.of("ingress", "egress", "vnf", "forward", "reverse", "stage", "oversubscribe"));
    private static final Kind STAGE = new Kind("stage", List.of("number"), Set.of("forward", "reverse"));

    private final JsonObject planner;
    private final Numbering numbers;

    /** A list: its name, its keys and what else its entries hold. */
    private record Kind(String list, List<String> keys, Set<String> others) {
        /** What an entry is called. */
        String name(final JsonObject entry) {
            return list + " " + keys.stream().map(key -> text(entry, key)).collect(Collectors.joining(" to "));
        }

        void check(final JsonObject entry) {
            entry.keySet().stream().filter(leaf -> !keys.contains(leaf) && !others.contains(leaf)).findFirst()
                .ifPresent(leaf -> {
                    throw new IllegalArgumentException("there is no " + leaf + " in a " + list);
                });
        }
    }

    private PlannerFile(final JsonObject planner) {
        PLANNER.check(planner);
        this.planner = planner;
        numbers = Numbering.of(names(NODE), names(LINK), names(SITE), names(VNF));
    }

    /**
     * Reads a file.
     *
     * @return empty if it is something else
     * @throws ParseException if it breaks a rule of the model; the message names file and place
     */
    public static Optional<Problem> read(final Path file) throws IOException, ParseException {
        final var name = file.getFileName().toString();
        if (!name.endsWith(".json")) {
            return Optional.empty();
        }
        final var text = Files.readString(file);
        try {
            return root(text).map(planner -> new PlannerFile(planner).problem());
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ParseException(name + ": " + e.getMessage(), 0);
        }
    }

    private static Optional<JsonObject> root(final String text) {
        try {
            return Optional.of(JsonParser.parseString(text)).filter(JsonElement::isJsonObject)
                .map(file -> file.getAsJsonObject().get(ROOT)).map(planner -> object(ROOT, planner));
        } catch (JsonParseException e) {
            return Optional.empty();
        }
    }

    private Problem problem() {
        return new Problem(new Network(numbers.nodes().names(), entries(planner, LINK, this::link),
            entries(planner, ROUTING, this::routing)), entries(planner, SITE, site ->
                new Site(text(site, NAME), node(text(site, "node")), number(site, "capacity"))),
            entries(planner, VNF, this::vnf), entries(planner, CHAIN, this::chain));
    }

    private Link link(final JsonObject link) {
        return new Link(text(link, NAME), node(text(link, "from")), node(text(link, "to")), rate(link, "bandwidth"),
            rateOrZero(link, "background"), Math.toIntExact(number(link, "utilisation-limit", 1_000_000)),
            uint32(link, "delay"), number(link, "weight", 1));
    }

    private Routing routing(final JsonObject routing) {
        final var shares = entries(routing, SHARE, link ->
            Map.entry(numbers.links().number(text(link, NAME)), Math.toIntExact(number(link, "share"))));
        return new Routing(node(text(routing, "from")), node(text(routing, "to")),
            shares.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
            routing.has("delay") ? OptionalLong.of(uint32(routing, "delay")) : OptionalLong.empty());
    }

    private Vnf vnf(final JsonObject vnf) {
        return new Vnf(text(vnf, NAME), uint32(vnf, "load"), entries(vnf, DEPLOYMENT, deployment ->
            new Deployment(numbers.sites().number(text(deployment, "site")), number(deployment, "capacity"))));
    }

    private Chain chain(final JsonObject chain) {
        return numbers.chain(text(chain, NAME), texts(chain, "ingress"), texts(chain, "egress"), texts(chain, "vnf"),
            new Stage(rate(chain, "forward"), rateOrZero(chain, "reverse")),
            entries(chain, STAGE, stage -> Map.entry(number(stage, "number"),
                new Stage(rate(stage, "forward"), rate(stage, "reverse")))));
    }

    private int node(final String name) {
        return numbers.nodes().number(name);
    }

    private List<String> names(final Kind kind) {
        return entries(planner, kind, entry -> text(entry, NAME));
    }

    /** Entries of a list in the order of their keys; says whose it is that breaks a rule. */
    private static <T> List<T> entries(final JsonObject parent, final Kind kind,
            final Function<JsonObject, T> decode) {
        final var entries = elements(parent, kind.list()).map(entry -> object(kind.list(), entry))
            .sorted(Comparator.comparing(kind::name)).toList();
        final var known = new HashSet<String>();
        return entries.stream().map(entry -> {
            final var name = kind.name(entry);
            if (!known.add(name)) {
                throw new IllegalArgumentException(name + " is there twice");
            }
            try {
                kind.check(entry);
                return decode.apply(entry);
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
            }
        }).toList();
    }

    private static List<String> texts(final JsonObject parent, final String leafList) {
        return elements(parent, leafList).map(element -> value(leafList, element)).toList();
    }

    private static Stream<JsonElement> elements(final JsonObject parent, final String list) {
        if (!parent.has(list)) {
            return Stream.empty();
        }
        if (!parent.get(list).isJsonArray()) {
            throw new IllegalArgumentException(list + ": not a list: " + parent.get(list));
        }
        return StreamSupport.stream(parent.getAsJsonArray(list).spliterator(), false);
    }

    private static JsonObject object(final String name, final JsonElement element) {
        if (!element.isJsonObject()) {
            throw new IllegalArgumentException(name + ": not an object: " + element);
        }
        return element.getAsJsonObject();
    }

    private static String value(final String leaf, final JsonElement element) {
        if (!element.isJsonPrimitive()) {
            throw new IllegalArgumentException(leaf + ": not a value: " + element);
        }
        return element.getAsString();
    }

    private static String text(final JsonObject object, final String leaf) {
        if (!object.has(leaf)) {
            throw new IllegalArgumentException("no " + leaf + " in " + object);
        }
        return value(leaf, object.get(leaf));
    }

    /** A number, or a string as RFC 7951 writes those of 64 bits. */
    private static long number(final JsonObject object, final String leaf) {
        try {
            return Long.parseLong(text(object, leaf));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(leaf + " in " + object + " is not an integer up to " + Long.MAX_VALUE,
                e);
        }
    }

    private static long uint32(final JsonObject object, final String leaf) {
        final long number = number(object, leaf);
        if (number < 0 || number > MAX_UINT32) {
            throw new IllegalArgumentException(leaf + " " + number + " is not in 0.." + MAX_UINT32);
        }
        return number;
    }

    private static long number(final JsonObject object, final String leaf, final long otherwise) {
        return object.has(leaf) ? number(object, leaf) : otherwise;
    }

    private static Bandwidth rate(final JsonObject object, final String leaf) {
        return new Bandwidth(number(object, leaf));
    }

    private static Bandwidth rateOrZero(final JsonObject object, final String leaf) {
        return new Bandwidth(number(object, leaf, 0));
    }
}
