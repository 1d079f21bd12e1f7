// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.storm.shade.io.netty.bootstrap.Bootstrap;
import org.apache.storm.shade.io.netty.channel.ChannelFuture;
import org.apache.storm.shade.io.netty.channel.ChannelHandler;
import org.apache.storm.shade.io.netty.channel.ChannelOption;
import org.apache.storm.utils.StormBoundedExponentialBackoffRetry;

/**
 * Opens connections to one worker.
 *
 * @param bootstrap options and threads of a connection
 * @param host where the worker is; looked up for each connection
 * @param port where it listens
 * @param kernelBytes size of the kernel's send buffer
 * @param retry Storm's own pauses between attempts
 * @param nowNs a clock that only goes forward, to tell how long connections last
 */
record Dialler(Bootstrap bootstrap, String host, int port, int kernelBytes, StormBoundedExponentialBackoffRetry retry,
        LongSupplier nowNs) {
    ChannelFuture dial(final ChannelHandler handler) {
        return bootstrap.clone().option(ChannelOption.SO_SNDBUF, kernelBytes).handler(handler).connect(host, port);
    }

    /** Runs a task after the pause that so many failed attempts ask for. */
    void later(final Runnable task, final int attempts) {
        final long pauseMs = attempts == 0 ? 0 : retry.getSleepTimeMs(attempts, 0);
        bootstrap.config().group().schedule(task, pauseMs, TimeUnit.MILLISECONDS);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
