// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.decoders.mdsal;

import io.netty.buffer.ByteBuf;
import org.opendaylight.openflowjava.protocol.api.extensibility.DeserializerRegistry;
import org.opendaylight.openflowjava.protocol.api.extensibility.DeserializerRegistryInjector;
import org.opendaylight.openflowjava.protocol.api.extensibility.OFDeserializer;
import org.opendaylight.openflowjava.protocol.impl.deserialization.factories.ErrorMessageFactory;
import org.opendaylight.openflowplugin.extension.onf.OnfConstants;
import org.opendaylight.openflowplugin.extension.onf.deserializer.OnfExperimenterErrorFactory;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.augments.rev150225.ExperimenterIdError;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ErrorMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ErrorMessageBuilder;

/**
 * Errors, those of experimenters too (OpenFlow 1.3.5, section 7.4.4): without it a switch's refusal of a bundle, or one
 * in the words of its maker, would count as consent.
 */
final class ExperimenterErrorDecoder implements OFDeserializer<ErrorMessage>, DeserializerRegistryInjector {
    private static final int EXPERIMENTER = 0xffff;

    private final ErrorMessageFactory plain = new ErrorMessageFactory();
    private final OnfExperimenterErrorFactory experimenters = new OnfExperimenterErrorFactory();

    @Override
    public void injectDeserializerRegistry(final DeserializerRegistry registry) {
        plain.injectDeserializerRegistry(registry);
    }

    /** Takes a message from its transaction number on. */
    @Override
    public ErrorMessage deserialize(final ByteBuf message) {
        final int type = message.getUnsignedShort(message.readerIndex() + Integer.BYTES);
        return type == EXPERIMENTER ? named(experimenters.deserialize(message)) : plain.deserialize(message);
    }

    /** The library takes the codes of all experimenters for ONF's. */
    private static ErrorMessage named(final ErrorMessage error) {
        final var experimenter = error.augmentation(ExperimenterIdError.class).getExperimenter();
        return experimenter.equals(OnfConstants.ONF_EXPERIMENTER_ID) ? error : new ErrorMessageBuilder(error)
            .setCodeString("experimenter 0x" + Integer.toHexString(experimenter.getValue().intValue()) + " code "
                + error.getCode()).build();
    }
}
