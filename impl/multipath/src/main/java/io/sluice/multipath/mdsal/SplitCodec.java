// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.PortId;
import io.sluice.multipath.engine.SlotSplit.Place;
import io.sluice.multipath.engine.Split;
import java.util.OptionalInt;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Split.Mode;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.SplitChanged;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.SplitChangedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.LinkYield;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.LinkYieldBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.SlotSplit;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.SlotSplitBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.SlotSplitKey;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.TransferSplit;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.TransferSplitBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.slot.split.Path;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.slot.split.PathBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.slot.split.PathKey;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Share;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

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

    static SlotSplit slotSplit(final io.sluice.multipath.engine.SlotSplit split) {
        final var paths = BindingMap.<PathKey, Path>orderedBuilder();
        for (int i = 0; i < split.parts().size(); i++) {
            final var part = split.parts().get(i);
            paths.add(new PathBuilder().setIndex(Uint8.valueOf(i)).setWay(Values.text(part.forward()))
                .setSlots(Uint8.valueOf(part.slots())).setWantedShare(new Share(Values.ppm(part.wanted())))
                .setMeasuredShare(part.measured().map(share -> new Share(Values.ppm(share))).orElse(null)).build());
        }
        return new SlotSplitBuilder().withKey(key(split.place())).setPath(paths.build()).build();
    }

    static SlotSplitKey key(final Place place) {
        return new SlotSplitKey(Values.switchId(place.clientSwitch()), Values.port(OptionalInt.of(place.port())),
            new ObjectName(place.server()), new ObjectName(place.service()));
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
