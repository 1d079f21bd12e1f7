// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.PortId;
import io.sluice.multipath.engine.Split;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Split.Mode;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.SplitChanged;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.SplitChangedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.LinkYield;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.LinkYieldBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.TransferSplit;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.TransferSplitBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Share;
import org.opendaylight.yangtools.yang.common.Uint32;

/** What was measured of transfers and links, in the words of {@code sluice-multipath}. */
final class SplitCodec {
    private static final double PPM = 1e6;

    private SplitCodec() {
        // functions only
    }

    static TransferSplit split(final Split split) {
        return new TransferSplitBuilder().setTransfer(new ObjectName(split.transfer())).setMode(mode(split.mode()))
            .setMeasuredRate(Values.rate(split.measured())).setSinglePathRate(Values.rate(split.singlePath()))
            .setSince(Values.time(split.since())).build();
    }

    static SplitChanged changed(final Split split) {
        return new SplitChangedBuilder(split(split)).setTransfer(new ObjectName(split.transfer())).build();
    }

    static LinkYield linkYield(final PortId port, final double yield) {
        return new LinkYieldBuilder().setSwitch(Values.switchId(port.switchId())).setPort(Values.portNumber(port))
            .setYield(new Share(Uint32.valueOf(Math.round(yield * PPM)))).build();
    }

    private static Mode mode(final Split.Mode mode) {
        return switch (mode) {
            case SPREAD -> Mode.Spread;
            case TRYING_SINGLE_PATH -> Mode.TryingSinglePath;
            case SINGLE_PATH -> Mode.SinglePath;
        };
    }
}
