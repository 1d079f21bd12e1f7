// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import edu.umd.cs.findbugs.annotations.SuppressFBWarnings;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** What trucks on routes tell, brought together with the traffic on these, and what to do about it. */
public final class TruckingIot {
    private static final String TRUCKS = "trucks";
    private static final String TRAFFIC = "traffic";
    private static final String COMBINE = "combine";
    private static final String ROUTE = "route";
    private static final String NUMBER = "number";
    private static final String PAYLOAD = "payload";
    private static final String ACTION = "action";

    /**
     * What can be chosen.
     *
     * @param perSecond events of trucks, and as many reports of traffic
     * @param tasks of each stage but the last
     * @param routes on which trucks are, in turn
     * @param truckBytes of an event's payload
     * @param trafficBytes of a report's payload
     * @param beginUs when both sources begin, in microseconds since 1970
     */
    public record Parameters(double perSecond, int tasks, int routes, int truckBytes, int trafficBytes, long beginUs) {
        public Parameters {
            if (!(perSecond > 0 && Double.isFinite(perSecond)) || tasks < 1 || routes < 1 || truckBytes < 1
                    || trafficBytes < 1) {
                throw new IllegalArgumentException("rate, tasks, routes and sizes have to be positive numbers");
            }
        }
    }

    private TruckingIot() {
        // a function
    }

    /** The topology. */
    public static StormTopology build(final long seed, final Parameters parameters) {
        final var builder = new TopologyBuilder();
        final int tasks = parameters.tasks();
        builder.setSpout(TRUCKS, new RouteSpout(parameters, parameters.truckBytes(), seed), tasks);
        builder.setSpout(TRAFFIC, new RouteSpout(parameters, parameters.trafficBytes(), seed + 1), tasks);
        builder.setBolt(COMBINE, new Combine(), tasks).fieldsGrouping(TRUCKS, new Fields(ROUTE))
            .fieldsGrouping(TRAFFIC, new Fields(ROUTE));
        builder.setBolt("act", new SinkBolt(), 1).globalGrouping(COMBINE);
        return builder.createTopology();
    }

    /** Routes in turn, those of this task only; what is told of a route at one time has one number. */
    @SuppressFBWarnings(value = "UWF_FIELD_NOT_INITIALIZED_IN_CONSTRUCTOR", justification = "Storm opens it")
    private static final class RouteSpout extends PacedSpout {
        private static final long serialVersionUID = 1;

        private final int routes;
        private final int bytes;
        private final long seed;
        private transient SplittableRandom random;
        private int task;
        private int tasks;

        RouteSpout(final Parameters parameters, final int bytes, final long seed) {
            super(parameters.perSecond(), parameters.beginUs(), ROUTE, NUMBER, PAYLOAD, SinkBolt.CREATED);
            routes = Math.max(parameters.routes(), parameters.tasks());
            this.bytes = bytes;
            this.seed = seed;
        }

        @Override
        void begin(final int index, final int ofTasks) {
            task = index;
            tasks = ofTasks;
            random = new SplittableRandom(seed * ofTasks + index);
        }

        @Override
        Values next(final long number, final long createdUs) {
            final int own = (routes - task + tasks - 1) / tasks;
            final int route = task + tasks * (int) (number % own);
            final byte[] payload = new byte[bytes];
            random.nextBytes(payload);
            return new Values(route, number / own, payload, createdUs);
        }
    }

    @SuppressFBWarnings(value = "UWF_FIELD_NOT_INITIALIZED_IN_CONSTRUCTOR", justification = "Storm prepares it")
    private static final class Combine extends BaseBasicBolt {
        private static final long serialVersionUID = 1;

        private transient RouteJoin join;

        @Override
        public void prepare(final Map<String, Object> conf, final TopologyContext context) {
            join = new RouteJoin();
        }

        @Override
        public void execute(final Tuple tuple, final BasicOutputCollector out) {
            final int route = tuple.getIntegerByField(ROUTE);
            final long number = tuple.getLongByField(NUMBER);
            final var complete = tuple.getSourceComponent().equals(TRAFFIC) ? join.report(route, number)
                : join.event(route, new RouteJoin.Event(number, tuple.getLongByField(SinkBolt.CREATED)));
            complete.forEach(event -> out.emit(new Values(route, ACTION, event.createdUs())));
        }

        @Override
        public void declareOutputFields(final OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(ROUTE, ACTION, SinkBolt.CREATED));
        }
    }
}
