// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import io.sluice.bus.BusLimits;
import io.sluice.bus.ProxyState;
import io.sluice.bus.Remote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Some sites of a plan within this process, each with a proxy, a publisher and a subscriber. The folder has the keys of
 * all sites and the plan: a line {@code NAME ADDRESS HEARD...} for each site. All publish on a topic that names their
 * site, which is for those who hear them, and on one that is for everybody.
 */
final class PlannedSites {
    private static final String EVERYWHERE = "/load/everywhere/";
    private static final long ASK_AGAIN_MS = 100;

    private final Map<String, Site> sites = new HashMap<>();
    private final Map<String, Numbering> heard = new HashMap<>();
    private final List<Feed> feeds = new ArrayList<>();

    private PlannedSites() {
        // made by open()
    }

    /** A line of the plan. */
    private record Planned(String name, String address, List<String> hears) {
        static Planned of(final String line) {
            final var words = List.of(line.split(" "));
            return new Planned(words.getFirst(), words.get(1), words.subList(2, words.size()));
        }
    }

    /**
     * Opens the sites from {@code first} to the one before {@code end}, by their place in the plan, and waits until
     * they are linked with all sites after them, which must be there: the handshakes of all sites at once would take so
     * long that none ends in time.
     */
    static PlannedSites open(final Path folder, final int first, final int end)
            throws IOException, InterruptedException {
        final var plan = Files.readAllLines(folder.resolve("plan")).stream().map(Planned::of).toList();
        final var remotes = new HashMap<String, Remote>();
        plan.forEach(site -> remotes.put(site.name(),
            new Remote(site.address(), Keys.of(folder, site.name()).publicKey())));
        final var opened = new PlannedSites();
        plan.subList(first, end).reversed().forEach(site -> opened.open(site, folder, remotes));
        for (int place = first; place < end; place++) {
            while (opened.links(plan.get(place).name()) < plan.size() - 1 - place) {
                Thread.sleep(ASK_AGAIN_MS);
            }
        }
        return opened;
    }

    /** Returns with how many sites after it a site is linked. */
    private long links(final String site) {
        return sites.get(site).state().stream().flatMap(state -> state.links().entrySet().stream())
            .filter(link -> isAfter(link.getKey(), site) && link.getValue().up()).count();
    }

    /** Tells a later site from an earlier one, and from a node of the site itself. */
    private static boolean isAfter(final String name, final String site) {
        return name.compareTo(site) > 0 && !name.startsWith(site);
    }

    private void open(final Planned planned, final Path folder, final Map<String, Remote> all) {
        final var name = planned.name();
        final var others = new HashMap<>(all);
        others.remove(name);
        final var site = Site.open(planned.address(), Keys.of(folder, name),
            List.of(new NodeName(name, "publisher"), new NodeName(name, "subscriber")), others, BusLimits.DEFAULT);
        sites.put(name, site);
        final var publisher = site.nodes().getFirst();
        feeds.add(new Feed(publisher, new Topic(named(name))));
        feeds.add(new Feed(publisher, new Topic(EVERYWHERE + name)));
        final var numbering = new Numbering();
        heard.put(name, numbering);
        final var subscriber = site.nodes().getLast();
        subscriber.subscribe(new TopicFilter(EVERYWHERE), numbering);
        planned.hears().forEach(other -> subscriber.subscribe(new TopicFilter(named(other)), numbering));
    }

    private static String named(final String site) {
        return "/load/site_" + site + "_messages";
    }

    List<Feed> feeds() {
        return feeds;
    }

    /**
     * Returns a JSON object: for each site what its subscriber heard, and how many streams came to its proxy, -1 if the
     * proxy is too busy to tell.
     */
    String report() {
        return sites.entrySet().stream().map(entry -> String.format(Locale.ROOT,
            "\"%s\": {\"streams\": %d, \"heard\": %s}", entry.getKey(),
            entry.getValue().state().map(ProxyState::streams).orElse(-1), heard.get(entry.getKey()).report()))
            .collect(Collectors.joining(", ", "{", "}"));
    }
}
