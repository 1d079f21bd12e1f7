// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.Bus;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import io.sluice.bus.EmbeddedBus;
import io.sluice.bus.SiteProxy;
import io.sluice.mdsal.Answers;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListFilters;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListFiltersInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListFiltersOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListTopics;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListTopicsInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListTopicsOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListingLimit;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublicKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Publish;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublishInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublishOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublishOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ReadTopic;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ReadTopicInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ReadTopicOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.RotateKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.RotateKeyInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.RotateKeyOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.RotateKeyOutputBuilder;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** The RPCs of {@code sluice-bus}; a refusal is an error with the reason. */
final class BusRpcs {
    private static final int LIMIT = 100;
    private static final String EVERYTHING = "/";

    private final EmbeddedBus embedded;
    private final Supplier<CompletionStage<Void>> refresh;
    private final Executor loop;

    private record TopicQuestion(TopicFilter filter, int limit) { }

    private record Message(Topic topic, String body) { }

    /** Each RPC waits for {@code refresh}, which gives the bus the latest configuration. */
    BusRpcs(final EmbeddedBus embedded, final Supplier<CompletionStage<Void>> refresh, final Executor loop) {
        this.embedded = embedded;
        this.refresh = refresh;
        this.loop = loop;
    }

    Registration register(final RpcProviderService provider) {
        return provider.registerRpcImplementations((RotateKey) this::rotateKey, (ListTopics) this::listTopics,
            (ListFilters) this::listFilters, (ReadTopic) this::readTopic, (Publish) this::publish);
    }

    private ListenableFuture<RpcResult<RotateKeyOutput>> rotateKey(final RotateKeyInput input) {
        return Answers.of(onLoop(() -> CompletableFuture.completedStage(rotate())));
    }

    private RpcResult<RotateKeyOutput> rotate() {
        try {
            return embedded.rotate().map(key -> Answers.success(
                new RotateKeyOutputBuilder().setPublicKey(new PublicKey(key)).build())).orElseGet(this::notOpen);
        } catch (IOException e) {
            return Answers.refusal(ErrorTag.OPERATION_FAILED, "the key stays, its file can't be written: " + e);
        }
    }

    private ListenableFuture<RpcResult<ListTopicsOutput>> listTopics(final ListTopicsInput input) {
        return Answers.checked(() -> new TopicQuestion(new TopicFilter(input.getFilter() == null ? EVERYTHING
            : input.getFilter().getValue()), limit(input.getLimit())), question -> onProxy(proxy ->
                proxy.topics(question.filter(), question.limit()).thenApply(ListingCodec::topics)));
    }

    private ListenableFuture<RpcResult<ListFiltersOutput>> listFilters(final ListFiltersInput input) {
        return Answers.checked(() -> limit(input.getLimit()), most -> onProxy(proxy ->
            proxy.filters(most).thenApply(ListingCodec::filters)));
    }

    private ListenableFuture<RpcResult<ReadTopicOutput>> readTopic(final ReadTopicInput input) {
        return Answers.checked(() -> new Topic(input.requireTopic().getValue()), topic -> onProxy(proxy ->
            proxy.lastValues(topic).thenApply(ListingCodec::lastValues)));
    }

    private ListenableFuture<RpcResult<PublishOutput>> publish(final PublishInput input) {
        return Answers.checked(() -> new Message(new Topic(input.requireTopic().getValue()),
            input.getBody() == null ? "" : input.getBody()), message -> onLoop(() ->
                CompletableFuture.completedStage(embedded.node().map(node -> publish(node, message))
                    .orElseGet(this::notOpen))));
    }

    private static RpcResult<PublishOutput> publish(final Bus node, final Message message) {
        return switch (node.publish(message.topic(), message.body())) {
            case Bus.Publication.Accepted accepted -> Answers.success(new PublishOutputBuilder().build());
            case Bus.Publication.Refused refused -> Answers.refusal(
                refused.busy() ? ErrorTag.RESOURCE_DENIED : ErrorTag.INVALID_VALUE, refused.reason());
        };
    }

    private static int limit(final ListingLimit limit) {
        return limit == null ? LIMIT : limit.getValue().intValue();
    }

    private <O> CompletionStage<RpcResult<O>> onProxy(final Function<SiteProxy, CompletionStage<O>> question) {
        return onLoop(() -> embedded.proxy().map(proxy -> question.apply(proxy).thenApply(Answers::success))
            .orElseGet(() -> CompletableFuture.completedStage(notOpen())));
    }

    private <O> CompletionStage<RpcResult<O>> onLoop(final Supplier<CompletionStage<RpcResult<O>>> task) {
        return refresh.get().thenComposeAsync(refreshed -> task.get(), loop);
    }

    private <O> RpcResult<O> notOpen() {
        final Optional<String> fault = embedded.fault();
        return fault.isPresent() ? Answers.refusal(ErrorTag.OPERATION_FAILED, fault.orElseThrow())
            : Answers.refusal(ErrorTag.DATA_MISSING, "no bus is configured; write sluice-bus:bus");
    }
}
