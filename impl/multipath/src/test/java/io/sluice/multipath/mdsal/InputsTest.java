// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Futures;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ReleaseTransferInput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ReleaseTransferInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;

class InputsTest {
    private final AtomicBoolean acted = new AtomicBoolean();

    @Test
    void anInputThatCanBeReadIsActedOn() throws Exception {
        final var input = new ReleaseTransferInputBuilder().setName(new ObjectName("t1")).build();

        assertEquals("t1", answer(() -> input.requireName().getValue()).getResult());
    }

    @Test
    void anAbsentMandatoryLeafIsNamedAndNothingActs() throws Exception {
        final ReleaseTransferInput input = new ReleaseTransferInputBuilder().build();

        final var answer = answer(() -> input.requireName().getValue());

        assertEquals(ErrorTag.MISSING_ELEMENT, answer.getErrors().getFirst().getTag());
        assertTrue(answer.getErrors().getFirst().getMessage().contains("name"));
        assertEquals(false, acted.get());
    }

    @Test
    void aValueOfNoMemberOfAUnionIsAnInvalidValue() throws Exception {
        final var answer = answer(() -> {
            throw new IllegalArgumentException("no address: 10.9");
        });

        assertEquals(ErrorTag.INVALID_VALUE, answer.getErrors().getFirst().getTag());
        assertEquals("no address: 10.9", answer.getErrors().getFirst().getMessage());
        assertEquals(false, acted.get());
    }

    private RpcResult<String> answer(final Supplier<String> decoder) throws Exception {
        return Futures.getDone(Inputs.checked(decoder, name -> {
            acted.set(true);
            return RpcResultBuilder.success(name).buildFuture();
        }));
    }
}
