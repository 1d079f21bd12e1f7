// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.Bus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZMQException;
import zmq.ZError;

/**
 * The bus of a process that is configured while it runs: a site's proxy and a node, or nothing.
 * <pre>
 *           configure(site)                configure(nothing), close()
 *   CLOSED -----------------+---------> OPEN -----------------------> CLOSED
 *                           |             ^
 *                           v   retry()   |
 *                         FAULTY ---------+
 * </pre>
 * One whose thread has ended is closed and opened at the next {@code retry}.
 * Another site or address closes and opens; another list, site or key changes what is open. After {@link #close}
 * nothing opens it again. Not thread-safe.
 */
public final class EmbeddedBus implements AutoCloseable {
    /** Name of the own node in its site. */
    public static final String NODE = "controller";

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBus.class);
    private static final String KEYS = "proxy.keys";
    private static final String EPOCHS = "epoch";

    private final Path folder;
    private final InstantSource clock;
    private final Function<Bus, Runnable> offer;
    private Optional<SiteConfig> wanted = Optional.empty();
    private Optional<SiteBus> open = Optional.empty();
    private Optional<String> fault = Optional.empty();
    private Runnable withdraw = () -> { };
    private boolean closed;

    /**
     * Begins closed.
     *
     * @param folder for the proxy's keys and the node's epochs; made if it is missing
     * @param offer tells the process of its node; returns what tells that it is gone, before it is closed
     */
    public EmbeddedBus(final Path folder, final InstantSource clock, final Function<Bus, Runnable> offer) {
        this.folder = folder;
        this.clock = clock;
        this.offer = offer;
    }

    /** Does what is configured; what can't be is a {@link #fault}. */
    public void configure(final Optional<SiteConfig> config) {
        if (closed) {
            return;
        }
        wanted = config;
        if (open.isPresent() && config.filter(open.orElseThrow().config()::isOfSameProxy).isPresent()) {
            open.orElseThrow().update(config.orElseThrow());
            return;
        }
        shut();
        fault = config.flatMap(another -> fault);
        retry();
    }

    /** Tries again to open what could not be opened, and opens what has ended by itself. */
    public void retry() {
        if (open.filter(SiteBus::hasEnded).isPresent()) {
            fault = Optional.of("a thread of the bus has ended, as its log says");
            LOG.warn("bus-ended site={}", open.orElseThrow().config().site());
            shut();
        }
        if (wanted.isEmpty() || open.isPresent()) {
            return;
        }
        final var config = wanted.orElseThrow();
        try {
            final var bus = opened(config);
            open = Optional.of(bus);
            fault = Optional.empty();
            LOG.info("bus-opened site={} address={}", config.site(), bus.proxy().address());
        } catch (IOException | RuntimeException e) {
            final var reason = Optional.of(config.bind() + ": " + reason(e));
            if (!reason.equals(fault)) {
                LOG.warn("bus-not-opened reason=\"{}\"", reason.orElseThrow());
                LOG.debug("why the bus is not open", e);
            }
            fault = reason;
        }
    }

    private SiteBus opened(final SiteConfig config) throws IOException {
        Files.createDirectories(folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        final var bus = new SiteBus(config, keys(), folder.resolve(EPOCHS), clock);
        try {
            withdraw = offer.apply(bus.node());
            return bus;
        } catch (RuntimeException e) {
            bus.close();
            throw e;
        }
    }

    /** What an operator can act on: messages alone may be a number or a path. JeroMQ says "in use" of any address. */
    private static String reason(final Exception failure) {
        if (failure instanceof ZMQException refused) {
            final var text = ZError.toString(refused.getErrorCode());
            return refused.getErrorCode() == ZError.EADDRINUSE ? text + ", or none of this machine" : text;
        }
        return failure.toString();
    }

    private CurveKeys keys() throws IOException {
        return CurveKeys.loadOrMake(folder.resolve(KEYS));
    }

    /** Returns why what is configured is not open; nothing if it is. */
    public Optional<String> fault() {
        return fault;
    }

    /** Returns the proxy, if it is open. */
    public Optional<SiteProxy> proxy() {
        return open.map(SiteBus::proxy);
    }

    /** Returns the own node, if there is one. */
    public Optional<Bus> node() {
        return open.map(SiteBus::node);
    }

    /** Returns what an operator can see, if the bus is open. */
    public CompletionStage<Optional<BusState>> state() {
        return open.<CompletionStage<Optional<BusState>>>map(bus -> bus.state().thenApply(Optional::of))
            .orElseGet(() -> CompletableFuture.completedStage(Optional.empty()));
    }

    /**
     * Makes new keys for the proxy, in its file and at work.
     *
     * @return the new public key, or nothing if the bus is not open
     * @throws IOException if the file can't be written; the old keys stay then
     */
    public Optional<String> rotate() throws IOException {
        if (open.isEmpty()) {
            return Optional.empty();
        }
        final var keys = CurveKeys.generate();
        keys.replace(folder.resolve(KEYS));
        open.orElseThrow().update(keys);
        LOG.info("bus-key-rotated key={}", keys.publicKey());
        return Optional.of(keys.publicKey());
    }

    private void shut() {
        final var ending = open;
        final var tell = withdraw;
        open = Optional.empty();
        withdraw = () -> { };
        if (ending.isPresent()) {
            try {
                tell.run();
            } finally {
                ending.orElseThrow().close();
                LOG.info("bus-closed site={}", ending.orElseThrow().config().site());
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        wanted = Optional.empty();
        shut();
    }
}
