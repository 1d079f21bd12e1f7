// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Three sites, two nodes each, all publish and subscribe while links lose frames and proxies die. */
class LossyNetworkTest {
    private static final String[] SITES = {"A", "B", "C"};
    private static final int ROUNDS = 400;

    private final Map<StreamId, Long> published = new LinkedHashMap<>();
    private final Map<TopicFilter, List<Received>> early = new LinkedHashMap<>();
    private final Map<TopicFilter, List<Received>> late = new LinkedHashMap<>();
    private final List<NodeName> names = new ArrayList<>();
    private Random random;
    private LossyNetwork network;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 30);
    }

    private void build(final long seed, final BusLimits limits) {
        System.out.println("seed " + seed);
        random = new Random(seed);
        network = new LossyNetwork(seed, limits, SITES);
        for (final var site : SITES) {
            names.add(new NodeName(site, "one"));
            names.add(new NodeName(site, "two"));
        }
        names.forEach(name -> network.start(name, 1));
    }

    private Topic topic(final String site) {
        return new Topic(switch (random.nextInt(4)) {
            case 0 -> "/c1/routes";
            case 1 -> "/c2/labels";
            case 2 -> "/c1/e3/site_" + site + "_forwarders";
            default -> "/c2/e1/site_" + site + "_instances";
        });
    }

    private TopicFilter filter() {
        return switch (random.nextInt(4)) {
            case 0 -> new TopicFilter("/c1/");
            case 1 -> new TopicFilter("/");
            default -> TopicFilter.of(topic(SITES[random.nextInt(3)]));
        };
    }

    private void subscribe(final Map<TopicFilter, List<Received>> to) {
        final var filter = filter();
        final var received = new Received();
        network.nodes.get(names.get(random.nextInt(names.size()))).subscribe(filter, received);
        to.computeIfAbsent(filter, key -> new ArrayList<>()).add(received);
    }

    private void publish() {
        final var name = names.get(random.nextInt(names.size()));
        final var topic = topic(name.site());
        final var stream = new StreamId(name, topic);
        final long next = published.getOrDefault(stream, 0L) + 1;
        if (network.nodes.get(name).publish(topic, Long.toString(next)) instanceof Bus.Publication.Accepted) {
            published.put(stream, next);
        }
    }

    /** Publishes while hops drop, repeat and reorder, and while proxies are killed. */
    private void storm() {
        network.setLossy(true);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < 5; i++) {
                publish();
            }
            network.step(random.nextInt(240));
            if (random.nextInt(25) == 0) {
                network.tick();
            }
            if (random.nextInt(20) == 0) {
                subscribe(late);
            }
            if (random.nextInt(60) == 0) {
                network.restart(SITES[random.nextInt(3)]);
            }
        }
        network.setLossy(false);
        network.settle();
    }

    private void stormAndCheck() {
        for (int i = 0; i < 10; i++) {
            subscribe(early);
        }
        network.settle();

        storm();

        check(early, 1);
        check(late, 0);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyMessageComesOnceAndInOrderWhateverTheHopsDo(final long seed) {
        build(seed, BusLimits.DEFAULT);
        stormAndCheck();
        early.values().forEach(all -> all.forEach(received -> assertEquals(List.of(), received.gaps)));
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24, 25, 26})
    void whatThePublisherKeepsNoLongerIsAReportedGap(final long seed) {
        build(seed, new BusLimits(8, 5, 1 << 20, 16, 1000));
        stormAndCheck();
        assertTrue(early.values().stream().anyMatch(all -> all.stream().anyMatch(one -> !one.gaps.isEmpty())),
            "nothing was lost: the test is too easy");
    }

    private void check(final Map<TopicFilter, List<Received>> listeners, final long first) {
        listeners.forEach((filter, all) -> all.forEach(received -> published.forEach((stream, last) -> {
            if (filter.matches(stream.topic())) {
                received.check(stream, first, last);
            } else {
                assertEquals(0, received.count(stream), "not asked for: " + stream);
            }
        })));
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32})
    void aWindowBoundsWhatIsUnderWayAndTheRestFollowsAsLastValues(final long seed) {
        build(seed, new BusLimits(8, 1000, 1 << 20, 16, 1000));
        final var received = new Received();
        network.nodes.get(names.get(5)).subscribe(new TopicFilter("/"), received);
        network.settle();
        final var topic = new Topic("/c1/e3/site_A_forwarders");

        int accepted = 0;
        while (network.nodes.get(names.getFirst()).publish(topic, Integer.toString(accepted + 1))
            instanceof Bus.Publication.Accepted) {
            accepted++;
        }

        assertEquals(8, accepted);
        assertTrue(assertInstanceOf(Bus.Publication.Refused.class,
            network.nodes.get(names.getFirst()).publish(topic, "9")).busy());
        network.settle();
        received.check(new StreamId(names.getFirst(), topic), 1, accepted);
    }
}
