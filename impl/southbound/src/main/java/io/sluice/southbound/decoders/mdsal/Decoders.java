// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.decoders.mdsal;

import io.sluice.southbound.decoders.TableQuestions;
import org.opendaylight.openflowjava.protocol.api.extensibility.OFDeserializer;
import org.opendaylight.openflowjava.protocol.api.keys.ExperimenterIdTypeSerializerKey;
import org.opendaylight.openflowjava.protocol.api.keys.MessageCodeKey;
import org.opendaylight.openflowjava.protocol.impl.deserialization.factories.ErrorMessageFactory;
import org.opendaylight.openflowjava.protocol.impl.deserialization.factories.ExperimenterMessageFactory;
import org.opendaylight.openflowjava.protocol.impl.deserialization.factories.MultipartReplyMessageFactory;
import org.opendaylight.openflowjava.protocol.spi.connection.SwitchConnectionProvider;
import org.opendaylight.openflowplugin.extension.onf.OnfConstants;
import org.opendaylight.openflowplugin.extension.onf.serializer.BundleAddMessageFactory;
import org.opendaylight.openflowplugin.extension.onf.serializer.BundleControlFactory;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ErrorMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ExperimenterMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.MultipartReplyMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.experimenter.core.ExperimenterDataOfChoice;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Teaches each port where switches connect what its messages say. The plugin's extension for bundles serves one port
 * only, whichever it finds first; here all ports get what it takes to send them, too.
 */
@Component(service = Decoders.class)
public final class Decoders {
    static final Uint8 OPENFLOW_13 = Uint8.valueOf(4);
    /** Types of messages: OpenFlow 1.3.5, section 7.1. */
    private static final int ERROR = 1;
    private static final int EXPERIMENTER = 4;
    private static final int MULTIPART_REPLY = 19;

    private final TableQuestions tableQuestions = new TableQuestions();

    /** Asks what the flow tables of switches can do. */
    public TableQuestions tableQuestions() {
        return tableQuestions;
    }

    /** Serves a port from now on. */
    @Reference(cardinality = ReferenceCardinality.AT_LEAST_ONE, policy = ReferencePolicy.DYNAMIC,
        policyOption = ReferencePolicyOption.GREEDY)
    public void bind(final SwitchConnectionProvider port) {
        teach(port, new ExperimenterErrorDecoder(), new BundleReplyDecoder(), new TableFeaturesDecoder(tableQuestions));
        port.registerExperimenterMessageSerializer(key(OnfConstants.ONF_ET_BUNDLE_CONTROL),
            new BundleControlFactory());
        port.registerExperimenterMessageSerializer(key(OnfConstants.ONF_ET_BUNDLE_ADD_MESSAGE),
            new BundleAddMessageFactory());
    }

    /** Leaves a port with the library's own decoders. */
    public void unbind(final SwitchConnectionProvider port) {
        teach(port, new ErrorMessageFactory(), new ExperimenterMessageFactory(), new MultipartReplyMessageFactory());
    }

    private static void teach(final SwitchConnectionProvider port, final OFDeserializer<ErrorMessage> errors,
            final OFDeserializer<ExperimenterMessage> experimenters,
            final OFDeserializer<MultipartReplyMessage> multipartReplies) {
        port.registerDeserializer(new MessageCodeKey(OPENFLOW_13, ERROR, ErrorMessage.class), errors);
        port.registerDeserializer(new MessageCodeKey(OPENFLOW_13, EXPERIMENTER, ExperimenterMessage.class),
            experimenters);
        port.registerDeserializer(new MessageCodeKey(OPENFLOW_13, MULTIPART_REPLY, MultipartReplyMessage.class),
            multipartReplies);
    }

    private static ExperimenterIdTypeSerializerKey<ExperimenterDataOfChoice> key(final Uint32 type) {
        return new ExperimenterIdTypeSerializerKey<>(OPENFLOW_13, OnfConstants.ONF_EXPERIMENTER, type.toJava(),
            ExperimenterDataOfChoice.class);
    }
}
