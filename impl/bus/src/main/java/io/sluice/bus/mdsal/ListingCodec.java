// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import io.sluice.bus.FilterState;
import io.sluice.bus.LastValue;
import io.sluice.bus.Listing;
import io.sluice.bus.StreamState;
import io.sluice.bus.TopicState;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListFiltersOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListFiltersOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListTopicsOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListTopicsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ReadTopicOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ReadTopicOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.list.filters.output.Filter;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.list.filters.output.FilterBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.list.topics.output.Topic;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.list.topics.output.TopicBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.list.topics.output.topic.LastValueBuilder;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Answers to questions about topics and filters, in the words of {@code sluice-bus}. */
final class ListingCodec {
    private ListingCodec() {
        // functions only
    }

    static ListTopicsOutput topics(final Listing<TopicState> listing) {
        return new ListTopicsOutputBuilder().setStreams(Uint32.valueOf(listing.total()))
            .setTopic(listing.entries().stream().map(ListingCodec::topic).toList()).build();
    }

    static ListFiltersOutput filters(final Listing<FilterState> listing) {
        return new ListFiltersOutputBuilder().setFilters(Uint32.valueOf(listing.total()))
            .setFilter(listing.entries().stream().map(ListingCodec::filter).toList()).build();
    }

    static ReadTopicOutput lastValues(final List<LastValue> values) {
        return new ReadTopicOutputBuilder()
            .setLastValue(values.stream().map(ListingCodec::lastValue).collect(BindingMap.toOrderedMap())).build();
    }

    private static Topic topic(final TopicState state) {
        return new TopicBuilder()
            .setName(new org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Topic(state.topic().text()))
            .setLastValue(state.streams().stream().map(ListingCodec::stream).collect(BindingMap.toOrderedMap()))
            .setSubscriber(inOrder(state.subscribers())).build();
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.list.topics.output.topic.LastValue stream(
            final StreamState stream) {
        return new LastValueBuilder().setPublisher(stream.publisher().toString())
            .setEpoch(Uint64.valueOf(stream.epoch())).setSequence(Uint64.valueOf(stream.sequence()))
            .setSize(Uint32.valueOf(stream.octets())).build();
    }

    private static Filter filter(final FilterState state) {
        return new FilterBuilder()
            .setName(new org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Filter(state.filter().text()))
            .setSubscriber(inOrder(state.subscribers())).build();
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.read.topic.output.LastValue lastValue(
            final LastValue value) {
        final var stream = value.stream();
        return new org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.read.topic.output.LastValueBuilder()
            .setPublisher(stream.publisher().toString()).setEpoch(Uint64.valueOf(stream.epoch()))
            .setSequence(Uint64.valueOf(stream.sequence())).setBody(value.body()).build();
    }

    private static LinkedHashSet<String> inOrder(final Collection<String> names) {
        return new LinkedHashSet<>(names);
    }
}
