// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.decoders.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.opendaylight.openflowjava.protocol.impl.deserialization.DeserializerRegistryImpl;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflow.protocol.rev130731.ErrorMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.rev170124.BundleControlType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.rev170124.experimenter.input.experimenter.data.of.choice.BundleControlOnf;

/** Messages as a switch sends them, without the first four bytes, which the library has read by then. */
class DecodersTest {
    private static final String TRANSACTION = "00000007";
    private static final String ONF = "4f4e4600";
    private static final String NICIRA = "00002320";

    @Test
    void aBundleThatIsRefusedIsAnError() {
        final var error = error(TRANSACTION + "ffff" + "0909" + ONF);

        assertEquals(7, error.getXid().intValue());
        assertEquals("ONFERR_ET_MSG_FAILED", error.getCodeString());
    }

    @Test
    void anErrorInTheWordsOfAMakerIsAnError() {
        final var error = error(TRANSACTION + "ffff" + "0002" + NICIRA);

        assertEquals(7, error.getXid().intValue());
        assertEquals("experimenter 0x2320 code 2", error.getCodeString());
    }

    @Test
    void plainErrorsKeepTheirNames() {
        final var error = error(TRANSACTION + "0005" + "0001" + "0102");

        assertEquals("FLOWMODFAILED TABLEFULL", error.getTypeString() + " " + error.getCodeString());
    }

    @Test
    void aSwitchConfirmsACommit() {
        final var reply = new BundleReplyDecoder().deserialize(
            bytes(TRANSACTION + ONF + "000008fc" + "00000003" + "0005" + "0003"));

        assertEquals(7, reply.getXid().intValue());
        final var bundle = assertInstanceOf(BundleControlOnf.class, reply.getExperimenterDataOfChoice())
            .getOnfControlGroupingData();
        assertEquals(3, bundle.getBundleId().getValue().intValue());
        assertEquals(BundleControlType.ONFBCTCOMMITREPLY, bundle.getType());
    }

    private static ErrorMessage error(final String hex) {
        final var decoder = new ExperimenterErrorDecoder();
        decoder.injectDeserializerRegistry(new DeserializerRegistryImpl());
        return decoder.deserialize(bytes(hex));
    }

    private static ByteBuf bytes(final String hex) {
        return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
    }
}
