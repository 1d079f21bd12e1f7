// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.RandomProblems;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import io.sluice.planner.plan.Change;
import io.sluice.planner.plan.Plan;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ChainsMoved;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.Planner;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.plan.Chain;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.routes.Route;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

class PlanPublisherTest {
    private static final long MBIT = 1_000_000;
    private static final int NEAR = 1;
    private static final int FAR = 2;

    private final Shown shown = new Shown();
    private final PlanPublisher publisher = shown.publisher();
    private final Plan plan = Plan.of(RandomProblems.of(3), () -> false);
    private final List<String> names = List.copyOf(plan.splits().keySet());

    @Test
    void showsAllChainsOnceAndNothingAgain() throws InterruptedException {
        publisher.publish(plan);
        assertEquals(Set.copyOf(names), chains());
        final var whole = whole();
        assertEquals(RunCodec.time(Instant.EPOCH), whole.getChanged());
        assertEquals(names.size(), whole.getChains().toJava());
        assertEquals(WhatIfCodec.rate(plan.figures().carried().bitsPerSecond()), whole.getCarried());

        final int size = shown.settled().written.size();
        publisher.publish(plan.copy());
        assertEquals(size, shown.settled().written.size());
        assertTrue(shown.told.isEmpty(), "nobody has moved");
    }

    @Test
    void showsNothingBeforeThereIsAChain() throws InterruptedException {
        publisher.publish(Plan.of(plan.problem().withChains(List.of()), () -> false));
        assertEquals(1, shown.settled().written.size(), "all is cleared, and no more");
    }

    @Test
    void forgetsWhatHasGone() throws InterruptedException {
        publisher.publish(plan);
        shown.settled().written.clear();
        final var chain = plan.problem().chains().get(0);
        plan.remove(chain.name());
        publisher.publish(plan);
        assertEquals(1, shown.settled().written.stream().filter(DataObjectIdentifier.class::isInstance).count());
        assertEquals(Set.of(), chains());
        assertTrue(shown.told.isEmpty(), "it has gone, and the others stay");
    }

    @Test
    void tellsWhoseRoutesDiffer() throws InterruptedException {
        publisher.publish(plan);
        shown.settled().written.clear();
        final var next = withoutASite();
        final var moved = moved(next);
        assertFalse(moved.isEmpty());
        publisher.publish(next);

        assertEquals(names.stream().filter(name -> !PlanCodec.chain(plan, name).equals(PlanCodec.chain(next, name)))
            .collect(Collectors.toSet()), chains());
        assertEquals(moved.size(), whole().getMoves().longValue());
        assertTold(moved);
    }

    /** As when there is no leader for a while: the plan of then is not shown later, that of now is. */
    @Test
    void whatCouldNotBeWrittenIsShownAndToldLater() throws InterruptedException {
        publisher.publish(plan);
        shown.settled().written.clear();
        shown.refusals.set(Integer.MAX_VALUE);
        publisher.publish(Plan.of(plan.problem().withChains(List.of()), () -> false));
        assertEquals(List.of(), shown.settled().written);
        final var next = withoutASite();
        publisher.publish(next);
        assertEquals(List.of(), shown.settled().written);
        assertTrue(shown.told.isEmpty(), "nobody can see it yet");

        shown.refusals.set(0);
        assertTold(moved(next));
        assertTrue(chains().containsAll(moved(next)));
        assertEquals(moved(next).size(), whole().getMoves().longValue());
    }

    @Test
    void whoCantBeToldHoldsNothingUp() throws InterruptedException {
        publish(office(MBIT, 0, NEAR));
        shown.isDeaf = true;
        publish(office(MBIT, 0, FAR));
        publish(office(2 * MBIT, 0, FAR));
        Shown.await(() -> shown.written.stream().anyMatch(Chain.class::isInstance));
        assertEquals(WhatIfCodec.rate(2 * MBIT), chain().getCarried());
    }

    @Test
    void whatAnEarlierOwnerLeftGoesAtTheLatestWithTheFirstThingThatIsWritten() throws InterruptedException {
        final var late = new Shown(1);
        late.settled();
        late.publisher().publish(plan);
        assertTrue(late.settled().written.get(0) instanceof Planner, late.written::toString);
        assertEquals(1, late.written.stream().filter(Planner.class::isInstance).count());
    }

    @Test
    void moreTrafficOnTheSameRoutesIsShownAndNoMove() throws InterruptedException {
        publish(office(MBIT, 0, NEAR));
        publish(office(2 * MBIT, 0, NEAR));
        assertEquals(WhatIfCodec.rate(2 * MBIT), chain().getCarried());
        assertEquals(WhatIfCodec.rate(2 * MBIT), whole().getCarried());
        assertEquals(WhatIfCodec.rate(2 * MBIT), whole().getDemand());
        assertEquals(200_000, whole().getFullest().getValue().toJava());
        assertStaysPut();
    }

    @Test
    void aChainWhoseOnlySiteIsAnotherHasMoved() throws InterruptedException {
        publish(office(MBIT, 0, NEAR));
        publish(office(MBIT, 0, FAR));
        assertEquals("site-c", route().nonnullHop().values().iterator().next().getSite().getValue());
        assertTold(Set.of("office"));
        assertEquals(1, whole().getMoves().longValue());
    }

    @Test
    void aChainThatEntersElsewhereHasMoved() throws InterruptedException {
        publish(office(MBIT, 0, NEAR));
        publish(office(MBIT, 2, NEAR));
        assertEquals("c", route().getIngress().getValue());
        assertEquals(100, route().getDelay().getValue().toJava());
        assertTold(Set.of("office"));
    }

    @Test
    void aLinkThatTakesLongerIsShownAndNoMove() throws InterruptedException {
        publish(office(MBIT, 0, NEAR));
        publish(over(office(MBIT, 0, NEAR), link -> link(link.from(), link.to(), 2 * link.delayUs())));
        assertEquals(400, route().getDelay().getValue().toJava());
        assertEquals(200, whole().getDelay().getValue().toJava());
        assertStaysPut();
    }

    @Test
    void whatALinkHasRoomForIsShownAndNoMove() throws InterruptedException {
        publish(office(MBIT, 0, NEAR));
        publish(over(office(MBIT, 0, NEAR), link -> link.withBackground(new Bandwidth(5 * MBIT))));
        assertEquals(200_000, whole().getFullest().getValue().toJava());
        assertEquals(Set.of(), chains());
        assertStaysPut();
    }

    /** It is the first among the sites of the firewall, and before that another was. */
    @Test
    void aSiteThatNobodyUsesMovesNobody() throws InterruptedException {
        publish(office(MBIT, 0, NEAR));
        publish(office(MBIT, 0, 0, NEAR));
        assertEquals(List.of(), shown.settled().written);
        assertStaysPut();
    }

    private void assertTold(final Set<String> moved) throws InterruptedException {
        final var told = (ChainsMoved) shown.told.poll(Shown.LIMIT_S, TimeUnit.SECONDS);
        assertEquals(moved, told.requireChain().stream().map(ObjectName::getValue).collect(Collectors.toSet()));
        assertEquals(whole().getCarried(), told.getCarried());
    }

    private void assertStaysPut() {
        assertTrue(shown.told.isEmpty(), shown.told::toString);
        assertTrue(shown.written.stream().noneMatch(each -> each instanceof
            org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Plan told
            && told.getMoves().longValue() > 0));
    }

    private Plan withoutASite() {
        return plan.on(new Change.SiteDown(0).applyTo(plan.problem()), Set.of()).plan();
    }

    /** Chains whose routes have other names or shares. */
    private Set<String> moved(final Plan next) {
        return names.stream().filter(name -> !ways(plan, name).equals(ways(next, name))).collect(Collectors.toSet());
    }

    private static Map<String, Long> ways(final Plan plan, final String name) {
        return plan.routes(name, plan.split(name)).stream()
            .collect(Collectors.toMap(route -> route.names().toString(), route -> route.ppm()));
    }

    /** Shows it, and forgets what was shown before. */
    private void publish(final Problem problem) throws InterruptedException {
        shown.settled().written.clear();
        publisher.publish(Plan.of(problem, () -> false));
        shown.settled();
    }

    /**
     * A chain from a node over a firewall to b. It is 200 us from a, and 100 us from c, where the first and the last of
     * three sites are; the one between them is at b.
     */
    private static Problem office(final long bitsPerSecond, final int ingress, final Integer... sites) {
        final var firewall = new Vnf("firewall", 8_000,
            Stream.of(sites).map(site -> new Deployment(site, 100 * MBIT)).toList());
        final var stage = new Stage(new Bandwidth(bitsPerSecond), Bandwidth.ZERO);
        return new Problem(new Network(List.of("a", "b", "c"), List.of(link(0, 1, 200), link(1, 0, 200),
            link(1, 2, 100), link(2, 1, 100))), List.of(new Site("site-a", 2, 100 * MBIT),
            new Site("site-b", 1, 100 * MBIT), new Site("site-c", 2, 100 * MBIT)), List.of(firewall),
            List.of(new io.sluice.planner.model.Chain("office", List.of(ingress), List.of(1), List.of(0),
                List.of(stage, stage))));
    }

    private static Link link(final int from, final int to, final long delayUs) {
        return new Link(from, to, new Bandwidth(10 * MBIT), Bandwidth.ZERO, 1_000_000, delayUs, 1);
    }

    private static Problem over(final Problem problem, final UnaryOperator<Link> change) {
        return new Problem(problem.network().withLinks(problem.network().links().stream().map(change).toList()),
            problem.sites(), problem.vnfs(), problem.chains());
    }

    private Set<String> chains() throws InterruptedException {
        return shown.settled().written.stream().filter(Chain.class::isInstance)
            .map(each -> ((Chain) each).getName().getValue()).collect(Collectors.toSet());
    }

    private Chain chain() {
        return last(Chain.class);
    }

    private Route route() {
        return chain().nonnullRoute().values().iterator().next();
    }

    private org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Plan whole() {
        return last(org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Plan.class);
    }

    private <T> T last(final Class<T> type) {
        return shown.written.stream().filter(type::isInstance).map(type::cast).reduce((first, last) -> last)
            .orElseThrow();
    }
}
