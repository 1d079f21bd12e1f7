// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.southbound.program.Programmer;
import io.sluice.southbound.program.FlowTables;
import io.sluice.southbound.program.SwitchFeatures;
import io.sluice.southbound.program.SwitchSession;
import io.sluice.southbound.program.SwitchSession.Contents;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataObjectModification;
import org.opendaylight.mdsal.binding.api.DataObjectModification.ModificationType;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNode;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.inventory.rev130819.FlowCapableNodeBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.NodeId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.Nodes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.Node;
import org.opendaylight.yang.gen.v1.urn.opendaylight.inventory.rev130819.nodes.NodeKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.Uint16;

/** A switch may leave, or come back over another connection, while a session with it is being opened. */
class SwitchWatcherTest {
    private final List<CompletableFuture<SwitchSession>> opening = new ArrayList<>();
    private final List<String> used = new ArrayList<>();
    private final List<Runnable> retries = new ArrayList<>();
    private final ScheduledExecutorService loop = pretend(ScheduledExecutorService.class, (method, arguments) -> {
        switch (method) {
            case "execute" -> ((Runnable) arguments[0]).run();
            case "schedule" -> retries.add((Runnable) arguments[0]);
            default -> throw new UnsupportedOperationException(method);
        }
        return null;
    });
    private final SwitchWatcher watcher = new SwitchWatcher(
        pretend(DataBroker.class, (method, arguments) -> (Registration) () -> { }), new Programmer(loop), loop,
        (switchId, tables) -> {
            opening.add(new CompletableFuture<>());
            return opening.getLast();
        });

    /** Answers a call. */
    private interface Answer {
        Object to(String method, Object[] arguments);
    }

    @Test
    void aSwitchIsServedOverTheConnectionThatItHas() {
        tell(ModificationType.WRITE, 4001);
        tell(ModificationType.WRITE, 4002);
        opening.get(1).complete(session("second"));
        opening.get(0).complete(session("first"));
        assertEquals(List.of("second"), used);
        retry();
        assertEquals(2, opening.size());
    }

    @Test
    void aSwitchThatHasLeftMeanwhileIsNotServed() {
        tell(ModificationType.WRITE, 4001);
        tell(ModificationType.DELETE, 4001);
        opening.getFirst().complete(session("first"));
        retry();
        assertEquals(List.of(), used);
        assertEquals(1, opening.size());
    }

    @Test
    void aSessionThatCannotBeOpenedIsTriedAgain() {
        tell(ModificationType.WRITE, 4001);
        opening.getFirst().completeExceptionally(new IllegalStateException("no answer"));
        retry();
        opening.getLast().complete(session("again"));
        assertEquals(2, opening.size());
        assertEquals(List.of("again"), used);
    }

    private void retry() {
        final var due = List.copyOf(retries);
        retries.clear();
        due.forEach(Runnable::run);
    }

    private SwitchSession session(final String name) {
        return pretend(SwitchSession.class, (method, arguments) -> switch (method) {
            case "features" -> new SwitchFeatures(FlowTables.undescribed(4),
                SwitchFeatures.Groups.NONE, SwitchFeatures.Meters.NONE, false);
            case "read" -> {
                used.add(name);
                yield CompletableFuture.completedStage(new Contents(Map.of(), 0));
            }
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private void tell(final ModificationType type, final int port) {
        final var path = DataObjectIdentifier.builder(Nodes.class)
            .child(Node.class, new NodeKey(new NodeId("openflow:1"))).augmentation(FlowCapableNode.class).build();
        final var node = new FlowCapableNodeBuilder().setPortNumber(new PortNumber(Uint16.valueOf(port))).build();
        final var root = pretend(DataObjectModification.class, (method, arguments) -> switch (method) {
            case "modificationType" -> type;
            case "dataAfter" -> node;
            default -> throw new UnsupportedOperationException(method);
        });
        watcher.onDataTreeChanged(List.of(modification((method, arguments) -> switch (method) {
            case "path" -> path;
            case "getRootNode" -> root;
            default -> throw new UnsupportedOperationException(method);
        })));
    }

    @SuppressWarnings("unchecked")
    private static DataTreeModification<FlowCapableNode> modification(final Answer answer) {
        return pretend(DataTreeModification.class, answer);
    }

    private static <T> T pretend(final Class<T> type, final Answer answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> answer.to(method.getName(), arguments)));
    }
}
