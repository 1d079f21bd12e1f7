// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import io.sluice.api.Bandwidth;
import io.sluice.bandwidth.Allocation.Allocated;
import io.sluice.bandwidth.Allocation.FlowRate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** From doubles to the integers of an {@link Allocated}. */
final class Rounding {
    /** Relative error of a sum of doubles that is taken for none. */
    static final double TOLERANCE = 1e-12;
    /** A rate this little below a whole number, relatively, is meant to be it. */
    private static final double ALMOST_WHOLE = 1e-12;

    private Rounding() {
        // functions alone
    }

    /** Rounds down, then takes what sums of doubles overfill a link by from flows above their guarantee. */
    static Allocated answer(final Instance instance, final double[] rates, final int[] bindingLink) {
        final var whole = new double[rates.length];
        for (int flow = 0; flow < whole.length; flow++) {
            final double lifted = Math.floor(rates[flow] * (1 + ALMOST_WHOLE));
            whole[flow] = Math.min(instance.limit[flow], Math.max(instance.guarantee[flow], lifted));
        }
        final double[] loads = instance.crossings.loads(whole);
        for (int link = 0; link < loads.length; link++) {
            if (loads[link] > carried(instance, link)) {
                relieve(instance, link, whole);
            }
        }
        final var flows = new ArrayList<FlowRate>();
        for (int flow = 0; flow < whole.length; flow++) {
            final int link = bindingLink[flow];
            final double demand = instance.demand[flow];
            flows.add(new FlowRate(instance.ids.get(flow), new Bandwidth((long) whole[flow]),
                link < 0 ? Optional.empty() : Optional.of(instance.links.get(link).name()),
                demand < Double.POSITIVE_INFINITY ? Optional.of(new Bandwidth(Math.round(demand))) : Optional.empty(),
                instance.idle[flow]));
        }
        return new Allocated(flows, slowest(instance, flows));
    }

    /** What rates may sum to on a link. */
    private static double carried(final Instance instance, final int link) {
        return instance.available[link] * (1 + TOLERANCE);
    }

    private static void relieve(final Instance instance, final int link, final double[] whole) {
        final var crossings = instance.crossings;
        double excess = crossings.load(link, whole) - carried(instance, link);
        for (int at = crossings.firstFlow[link]; at < crossings.firstFlow[link + 1] && excess > 0; at++) {
            final int flow = crossings.flowAt[at];
            final double spare = whole[flow] - instance.guarantee[flow];
            final double taken = Math.min(spare, Math.ceil(excess / crossings.flowPart[at]));
            whole[flow] -= taken;
            excess -= taken * crossings.flowPart[at];
        }
    }

    private static List<FlowId> slowest(final Instance instance, final ArrayList<FlowRate> flows) {
        final var slowest = new FlowRate[instance.applications.size()];
        for (int flow = 0; flow < flows.size(); flow++) {
            final int application = instance.applicationOf[flow];
            if (!instance.idle[flow] && (slowest[application] == null
                    || utility(flows.get(flow)) < utility(slowest[application]))) {
                slowest[application] = flows.get(flow);
            }
        }
        return Arrays.stream(slowest).filter(Objects::nonNull).map(FlowRate::flow).toList();
    }

    private static long utility(final FlowRate rate) {
        final OptionalLong utility = rate.utilityPpm();
        return utility.orElse(Long.MAX_VALUE);
    }
}
