// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import edu.umd.cs.findbugs.annotations.SuppressFBWarnings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Which words are used most in a stream of short texts, over a sliding window. */
public final class TrendingTopics {
    private static final String TEXT = "text";
    private static final String WORD = "word";
    private static final String WORDS = "words";
    private static final String COUNTS = "counts";
    private static final long SECOND_US = 1_000_000;

    /**
     * What can be chosen.
     *
     * @param perSecond texts
     * @param tasks of the middle stages
     * @param top words that count
     * @param windowSeconds over which they are counted
     * @param beginUs when sources begin, in microseconds since 1970
     */
    public record Parameters(double perSecond, int tasks, int top, int windowSeconds, long beginUs) {
        public Parameters {
            if (!(perSecond > 0 && Double.isFinite(perSecond)) || tasks < 1 || top < 1 || windowSeconds < 1) {
                throw new IllegalArgumentException("rate, tasks, top and window have to be positive numbers");
            }
        }
    }

    private TrendingTopics() {
        // a function
    }

    /** The topology. */
    public static StormTopology build(final WordTable table, final long seed, final Parameters parameters) {
        final var builder = new TopologyBuilder();
        builder.setSpout("tweets", new TweetSpout(table, seed, parameters), 1);
        builder.setBolt("split", new Split(), parameters.tasks()).shuffleGrouping("tweets");
        builder.setBolt("count", new Count(parameters.top(), parameters.windowSeconds()), parameters.tasks())
            .fieldsGrouping("split", new Fields(WORD));
        builder.setBolt("aggregate", new Aggregate(parameters.top()), 1).globalGrouping("count");
        builder.setBolt("report", new SinkBolt(), 1).globalGrouping("aggregate");
        return builder.createTopology();
    }

    @SuppressFBWarnings(value = "UWF_FIELD_NOT_INITIALIZED_IN_CONSTRUCTOR", justification = "Storm opens it")
    private static final class TweetSpout extends PacedSpout {
        private static final long serialVersionUID = 1;

        private final WordTable table;
        private final long seed;
        private transient Tweets tweets;

        TweetSpout(final WordTable table, final long seed, final Parameters parameters) {
            super(parameters.perSecond(), parameters.beginUs(), TEXT, SinkBolt.CREATED);
            this.table = table;
            this.seed = seed;
        }

        @Override
        void begin(final int task, final int tasks) {
            tweets = new Tweets(table, seed, task);
        }

        @Override
        Values next(final long number, final long createdUs) {
            return new Values(tweets.next(), createdUs);
        }
    }

    private static final class Split extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        @Override
        public void execute(final Tuple tuple, final BasicOutputCollector out) {
            for (var word : tuple.getStringByField(TEXT).split(" ")) {
                out.emit(new Values(word, tuple.getLongByField(SinkBolt.CREATED)));
            }
        }

        @Override
        public void declareOutputFields(final OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(WORD, SinkBolt.CREATED));
        }
    }

    /** After as many words as count it tells which of its words are used most. */
    @SuppressFBWarnings(value = "UWF_FIELD_NOT_INITIALIZED_IN_CONSTRUCTOR", justification = "Storm prepares it")
    private static final class Count extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        private final int top;
        private final int windowSeconds;
        private transient SlidingCounts counts;
        private int arrived;

        Count(final int top, final int windowSeconds) {
            this.top = top;
            this.windowSeconds = windowSeconds;
        }

        @Override
        public void prepare(final Map<String, Object> conf, final TopologyContext context) {
            counts = new SlidingCounts(windowSeconds);
        }

        @Override
        public void execute(final Tuple tuple, final BasicOutputCollector out) {
            counts.count(tuple.getStringByField(WORD), Clock.nowUs() / SECOND_US);
            if (++arrived % top == 0) {
                out.emit(values(counts.top(top), tuple.getLongByField(SinkBolt.CREATED)));
            }
        }

        @Override
        public void declareOutputFields(final OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(WORDS, COUNTS, SinkBolt.CREATED));
        }
    }

    /** Puts together what those who count told last. */
    @SuppressFBWarnings(value = "UWF_FIELD_NOT_INITIALIZED_IN_CONSTRUCTOR", justification = "Storm prepares it")
    private static final class Aggregate extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        private final int top;
        private transient LatestRankings rankings;

        Aggregate(final int top) {
            this.top = top;
        }

        @Override
        public void prepare(final Map<String, Object> conf, final TopologyContext context) {
            rankings = new LatestRankings();
        }

        @Override
        public void execute(final Tuple tuple, final BasicOutputCollector out) {
            rankings.told(tuple.getSourceTask(), ranked(tuple));
            out.emit(values(rankings.top(top), tuple.getLongByField(SinkBolt.CREATED)));
        }

        @Override
        public void declareOutputFields(final OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(WORDS, COUNTS, SinkBolt.CREATED));
        }

        @SuppressWarnings("unchecked")
        private static List<Map.Entry<String, Long>> ranked(final Tuple tuple) {
            final var words = (List<String>) tuple.getValueByField(WORDS);
            final var counts = (List<Long>) tuple.getValueByField(COUNTS);
            final var ranked = new ArrayList<Map.Entry<String, Long>>();
            for (int at = 0; at < words.size(); at++) {
                ranked.add(Map.entry(words.get(at), counts.get(at)));
            }
            return ranked;
        }
    }

    /** In lists that Storm's serializer knows. */
    private static Values values(final List<Map.Entry<String, Long>> ranked, final long createdUs) {
        final var words = new ArrayList<String>();
        final var counts = new ArrayList<Long>();
        ranked.forEach(entry -> {
            words.add(entry.getKey());
            counts.add(entry.getValue());
        });
        return new Values(words, counts, createdUs);
    }
}
