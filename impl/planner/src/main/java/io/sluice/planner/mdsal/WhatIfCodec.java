// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.planner.core.Instance;
import io.sluice.planner.lp.RoutingAnswer.Routed;
import io.sluice.planner.model.Site;
import io.sluice.planner.plan.Admission;
import io.sluice.planner.plan.Admission.Refused;
import io.sluice.planner.plan.Change;
import io.sluice.planner.plan.Figures;
import io.sluice.planner.plan.WhatIf;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIfInput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIfOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.WhatIfOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.shortages.Shortage;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.shortages.ShortageBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.shortages.ShortageKey;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.Addition;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.Closure;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.Cut;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.Failure;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.Growth;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.input.change.failure.InstancesDown;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.output.AfterBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.output.Before;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.what._if.output.BeforeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.BitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Ratio;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Changes, and what they would do, in the words of {@code sluice-planner}. */
final class WhatIfCodec {
    private static final double MILLION = 1e6;

    private WhatIfCodec() {
        // functions only
    }

    /** Throws {@link IllegalArgumentException} if something unknown is named, or nothing is to change. */
    static Change change(final WhatIfInput input, final ProblemCodec config) {
        final var change = input.getChange();
        final var known = config.numbers();
        if (change instanceof Cut cut) {
            return new Change.LinksDown(ProblemCodec.numbers(known.links(), cut.requireLinkDown()));
        }
        if (change instanceof Closure closure) {
            return new Change.SiteDown(known.sites().number(closure.requireSiteDown().getValue()));
        }
        if (change instanceof Growth growth) {
            return new Change.Traffic(growth.requireTraffic().getValue().toJava());
        }
        if (change instanceof Addition addition && addition.getAddedSite() != null) {
            final var site = addition.getAddedSite();
            final long capacity = site.requireCapacity().getValue().longValue();
            return new Change.SiteAdded(new Site(known.nodes().number(site.requireNode().getValue()), capacity),
                ProblemCodec.numbers(known.vnfs(), site.getVnf()).stream()
                    .collect(Collectors.toMap(vnf -> vnf, vnf -> capacity)));
        }
        if (change instanceof Failure failure && failure.getInstancesDown() != null) {
            return instances(failure.getInstancesDown(), config);
        }
        throw new IllegalArgumentException(
            "say what changes: link-down, site-down, instances-down, added-site or traffic");
    }

    private static Change instances(final InstancesDown down, final ProblemCodec config) {
        final int vnf = config.numbers().vnfs().number(down.requireVnf().getValue());
        final int site = config.numbers().sites().number(down.requireSite().getValue());
        if (config.problem().vnfs().get(vnf).deployments().stream().noneMatch(each -> each.site() == site)) {
            throw new IllegalArgumentException(down.requireVnf().getValue() + " is not at "
                + down.requireSite().getValue());
        }
        return new Change.Instances(vnf, site,
            down.getCapacity() == null ? 0 : down.getCapacity().getValue().longValue());
    }

    static WhatIfOutput output(final WhatIf whatIf) {
        return new WhatIfOutputBuilder().setBefore(figures(whatIf.before(), whatIf.scaleBefore()))
            .setAfter(new AfterBuilder(figures(whatIf.after(), whatIf.scaleAfter())).build())
            .setMoved(whatIf.moved().stream().map(ObjectName::new)
                .collect(Collectors.toCollection(LinkedHashSet::new)))
            .setShortage(shortages(whatIf.shortOf())).setPartial(false).build();
    }

    /** What of all traffic can be carried at most, where nobody had the time to tell more. */
    static WhatIfOutput output(final Instance instance, final Routed most) {
        final double demand = IntStream.range(0, instance.chainCount())
            .mapToDouble(chain -> instance.chain(chain).demand()).sum();
        return new WhatIfOutputBuilder().setPartial(true).setAfter(new AfterBuilder()
            .setDemand(rate(Math.round(demand))).setCarried(rate(Math.round(most.value()))).build())
            .setBinding(RunCodec.binding(instance, most)).build();
    }

    static Map<ShortageKey, Shortage> shortages(final Map<String, Admission> shortOf) {
        return shortOf.entrySet().stream().map(WhatIfCodec::shortage).collect(BindingMap.toMap());
    }

    private static Before figures(final Figures figures, final double scale) {
        return new BeforeBuilder().setDemand(rate(figures.demand().bitsPerSecond()))
            .setCarried(rate(figures.carried().bitsPerSecond())).setDelay(RunCodec.delay(figures.delayUs()))
            .setFullest(ratio(figures.fullest())).setScale(ratio(Math.round(scale * MILLION))).build();
    }

    private static Shortage shortage(final Map.Entry<String, Admission> entry) {
        final var shortage = new ShortageBuilder().setChain(new ObjectName(entry.getKey()));
        return entry.getValue() instanceof Refused refused
            ? shortage.setFits(rate(refused.fits().bitsPerSecond())).setBottleneck(refused.bottleneck()).build()
            : shortage.setFits(rate(0)).build();
    }

    static BitRate rate(final long bitsPerSecond) {
        return new BitRate(Uint64.valueOf(bitsPerSecond));
    }

    /** Null if it is more than can be said. */
    static Ratio ratio(final long ppm) {
        return ppm > Uint32.MAX_VALUE.toJava() ? null : new Ratio(Uint32.valueOf(ppm));
    }
}
