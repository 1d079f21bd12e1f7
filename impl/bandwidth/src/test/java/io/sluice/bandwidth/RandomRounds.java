// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.AllocatableLink.Role;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Small random rounds: hosts with an uplink and a downlink each, some internal links, everything else at random. */
final class RandomRounds {
    private static final int INTERVAL_US = 5_000_000;

    private final Random random;
    /** Single tenant, single paths, reports of volumes alone; no guarantee, limit or weight. */
    private final boolean plain;
    private int hosts;
    private int internals;

    private RandomRounds(final long seed, final boolean plain) {
        random = new Random(seed);
        this.plain = plain;
    }

    static Round plain(final long seed) {
        return new RandomRounds(seed, true).round();
    }

    static Round any(final long seed) {
        return new RandomRounds(seed, false).round();
    }

    private Round round() {
        hosts = random.nextInt(2, 5);
        internals = random.nextInt(0, 4);
        final var links = new ArrayList<AllocatableLink>();
        for (int host = 0; host < hosts; host++) {
            links.add(link("up" + host, Role.UPLINK));
            links.add(link("down" + host, Role.DOWNLINK));
        }
        for (int i = 0; i < internals; i++) {
            links.add(link("core" + i, Role.INTERNAL));
        }
        return new Round(links, times(plain ? 1 : 3, i -> new Tenant("t" + i, weight(), times(3, j ->
            new Application("a" + j, weight(), times(4, k -> flow("f" + k)))))), INTERVAL_US);
    }

    private AllocatableLink link(final String name, final Role role) {
        final var cross = plain || random.nextInt(3) > 0 ? 0 : random.nextLong(1, 8_000_000);
        return new AllocatableLink(name, role, new Bandwidth(random.nextLong(1_000_000, 20_000_000)),
            new Bandwidth(cross));
    }

    private Flow flow(final String name) {
        final var guarantee = plain || random.nextInt(4) > 0 ? 0 : random.nextLong(1, 600_000);
        final Optional<Bandwidth> limit = plain || random.nextInt(3) > 0 ? Optional.empty()
            : Optional.of(new Bandwidth(guarantee + random.nextLong(0, 4_000_000)));
        return new Flow(name, times(plain ? 1 : 2, i -> path()), plain ? Stage.ONLY : stage(), weight(),
            new Bandwidth(guarantee), limit, report());
    }

    private Stage stage() {
        return new Stage(random.nextInt(3), "host" + random.nextInt(hosts), "host" + random.nextInt(hosts));
    }

    private PathShare path() {
        final var passed = new LinkedHashSet<String>();
        passed.add("up" + random.nextInt(hosts));
        for (int i = 0; internals > 0 && i < 2; i++) {
            passed.add("core" + random.nextInt(internals));
        }
        passed.add("down" + random.nextInt(hosts));
        return new PathShare(List.copyOf(passed), weight());
    }

    private Optional<FlowReport> report() {
        if (plain) {
            return Optional.of(new FlowReport(random.nextLong(6_000_000, 60_000_000), 0, 0, 0, 0));
        }
        return switch (random.nextInt(6)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(new FlowReport(0, 0, 0, 0, 0));
            case 2 -> Optional.of(new FlowReport(0, random.nextLong(1_000_000), 0, 0, random.nextLong(1_000_000)));
            default -> Optional.of(new FlowReport(random.nextLong(20_000_000), random.nextLong(2_000_000),
                random.nextLong(2_000_000), random.nextLong(2_000_000), random.nextLong(2_000_000)));
        };
    }

    private long weight() {
        return plain ? 1 : random.nextLong(1, 5);
    }

    private <T> List<T> times(final int most, final IntFunction<T> made) {
        final var items = new ArrayList<T>();
        final int count = random.nextInt(1, most + 1);
        for (int i = 0; i < count; i++) {
            items.add(made.apply(i));
        }
        return items;
    }

    /** The round with every flow changed. */
    static Round withFlows(final Round round, final UnaryOperator<Flow> change) {
        return new Round(round.links(), round.tenants().stream().map(tenant -> new Tenant(tenant.name(),
            tenant.weight(), tenant.applications().stream().map(application -> new Application(application.name(),
                application.weight(), application.flows().stream().map(change).toList())).toList())).toList(),
            round.intervalUs());
    }

    /** The round with all rates and bytes {@code factor} times as large. */
    static Round scaled(final Round round, final long factor) {
        final var larger = new Round(round.links().stream().map(link -> new AllocatableLink(link.name(), link.role(),
            times(link.capacity(), factor), times(link.crossTraffic(), factor))).toList(), round.tenants(),
            round.intervalUs());
        return withFlows(larger, flow -> new Flow(flow.name(), flow.paths(), flow.stage(), flow.weight(),
            times(flow.guarantee(), factor), flow.limit().map(limit -> times(limit, factor)),
            flow.report().map(told -> new FlowReport(told.transferred() * factor, told.senderBefore() * factor,
                told.senderAfter() * factor, told.receiverBefore() * factor, told.receiverAfter() * factor))));
    }

    private static Bandwidth times(final Bandwidth rate, final long factor) {
        return new Bandwidth(rate.bitsPerSecond() * factor);
    }

    /** The round with another flow in its first application. */
    static Round withFlow(final Round round, final Flow flow) {
        final var tenant = round.tenants().getFirst();
        final var application = tenant.applications().getFirst();
        final var larger = new Application(application.name(), application.weight(),
            Stream.concat(application.flows().stream(), Stream.of(flow)).toList());
        return new Round(round.links(), Stream.concat(
            Stream.of(new Tenant(tenant.name(), tenant.weight(), Stream.concat(Stream.of(larger),
                tenant.applications().stream().skip(1)).toList())),
            round.tenants().stream().skip(1)).toList(), round.intervalUs());
    }
}
