// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.util.concurrent.Futures;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;

class AnswersTest {
    private final AtomicBoolean acted = new AtomicBoolean();

    @Test
    void anInputThatCanBeReadIsActedOn() throws Exception {
        assertEquals("t1", answer(() -> "t1").getResult());
    }

    @Test
    void anAbsentMandatoryLeafIsNamedAndNothingActs() throws Exception {
        final var answer = answer(() -> {
            throw new NoSuchElementException("Value of name is not present");
        });

        assertEquals(ErrorTag.MISSING_ELEMENT, answer.getErrors().getFirst().getTag());
        assertEquals("Value of name is not present", answer.getErrors().getFirst().getMessage());
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

    @Test
    void aFailureIsARefusalThatSaysWhy() throws Exception {
        final var answer = Futures.getDone(Answers.of(CompletableFuture.<RpcResult<String>>failedStage(
            new IllegalStateException("the switch is gone"))));

        assertEquals(ErrorTag.OPERATION_FAILED, answer.getErrors().getFirst().getTag());
        assertEquals("the switch is gone", answer.getErrors().getFirst().getMessage());
    }

    private RpcResult<String> answer(final Supplier<String> decoder) throws Exception {
        return Futures.getDone(Answers.checked(decoder, name -> {
            acted.set(true);
            return CompletableFuture.completedStage(Answers.success(name));
        }));
    }
}
