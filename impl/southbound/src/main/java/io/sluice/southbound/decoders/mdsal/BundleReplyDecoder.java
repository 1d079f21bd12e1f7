// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.decoders.mdsal;

import io.netty.buffer.ByteBuf;
import org.opendaylight.openflowjava.protocol.api.extensibility.DeserializerRegistry;
import org.opendaylight.openflowjava.protocol.api.extensibility.DeserializerRegistryInjector;
import org.opendaylight.openflowjava.protocol.api.extensibility.OFDeserializer;
import org.opendaylight.openflowjava.protocol.impl.deserialization.factories.ExperimenterMessageFactory;
import org.opendaylight.openflowplugin.extension.onf.OnfConstants;
import org.opendaylight.openflowplugin.extension.onf.deserializer.BundleControlFactory;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ExperimenterMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ExperimenterMessageBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;

/** Answers of a switch to what is asked of a bundle; other messages of experimenters as the library reads them. */
final class BundleReplyDecoder implements OFDeserializer<ExperimenterMessage>, DeserializerRegistryInjector {
    private final ExperimenterMessageFactory others = new ExperimenterMessageFactory();
    private final BundleControlFactory bundles = new BundleControlFactory();

    @Override
    public void injectDeserializerRegistry(final DeserializerRegistry registry) {
        others.injectDeserializerRegistry(registry);
        bundles.injectDeserializerRegistry(registry);
    }

    /** Takes a message from its transaction number on. */
    @Override
    public ExperimenterMessage deserialize(final ByteBuf message) {
        final int start = message.readerIndex();
        final var transaction = Uint32.fromIntBits(message.getInt(start));
        final var experimenter = Uint32.fromIntBits(message.getInt(start + Integer.BYTES));
        final var type = Uint32.fromIntBits(message.getInt(start + 2 * Integer.BYTES));
        if (!experimenter.equals(OnfConstants.ONF_EXPERIMENTER) || !type.equals(OnfConstants.ONF_ET_BUNDLE_CONTROL)) {
            return others.deserialize(message);
        }
        message.skipBytes(3 * Integer.BYTES);
        return new ExperimenterMessageBuilder().setVersion(Decoders.OPENFLOW_13).setXid(transaction)
            .setExperimenter(OnfConstants.ONF_EXPERIMENTER_ID).setExpType(type)
            .setExperimenterDataOfChoice(bundles.deserialize(message)).build();
    }
}
