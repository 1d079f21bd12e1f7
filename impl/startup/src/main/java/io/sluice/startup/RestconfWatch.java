// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prints on Karaf's console, and logs, how long after the start of the program RESTCONF answers.
 *
 * <p>It is asked without credentials, once AAA can read those of users, and answers with a challenge (RFC 9110, section
 * 11.6.1). Until it is there, Jolokia refuses its address, as all that nobody else has, but without a challenge. One
 * that can't be asked, since there is none or it speaks TLS, is given up silently after ten minutes.
 */
@Component(service = { })
public final class RestconfWatch {
    private static final Logger LOG = LoggerFactory.getLogger(RestconfWatch.class);
    private static final String WEB_SERVER = "org.osgi.service.http.runtime.HttpServiceRuntime";
    private static final String ADDRESSES = "osgi.http.endpoint";
    /** What a server that listens at all addresses says, and one of them. */
    private static final String EVERYWHERE = "//0.0.0.0:";
    private static final String HERE = "//127.0.0.1:";
    private static final String CHALLENGE = "WWW-Authenticate";
    private static final String PATH = "rests/data";
    private static final Duration PERIOD = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Supplier<Stream<URI>> servers;
    private final LongSupplier uptimeMs;
    private final Consumer<String> console;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
        Thread.ofPlatform().name("sluice-restconf-watch").daemon().factory());

    /** Looks four times a second. */
    @Activate
    public RestconfWatch(final BundleContext context) {
        this(() -> context.getServiceReference(EncryptionServiceWatch.SERVICE) == null ? Stream.empty()
            : addresses(context.getServiceReference(WEB_SERVER)),
            () -> ManagementFactory.getRuntimeMXBean().getUptime(), System.out::println);
        executor.scheduleWithFixedDelay(this::lookOrEnd, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Looks only when it is told to. */
    RestconfWatch(final Supplier<Stream<URI>> servers, final LongSupplier uptimeMs, final Consumer<String> console) {
        this.servers = servers;
        this.uptimeMs = uptimeMs;
        this.console = console;
    }

    /** Stops looking. */
    @Deactivate
    public void close() {
        executor.shutdownNow();
    }

    /** Looks, and ends if that fails: it is not worth more than a line. */
    private void lookOrEnd() {
        try {
            look();
        } catch (RuntimeException e) {
            LOG.warn("whether RESTCONF answers can't be seen", e);
            executor.shutdown();
        }
    }

    /** Asks each server, and ends if one answers or nobody is going to. */
    void look() {
        final long nowMs = uptimeMs.getAsLong();
        final var answering = servers.get().map(server -> server.resolve(PATH)).filter(RestconfWatch::answers)
            .findFirst();
        answering.ifPresent(address -> {
            console.accept(String.format(Locale.ROOT, "RESTCONF answers after %.1f s: %s", nowMs / 1e3, address));
            LOG.info("restconf-answers after-ms={} address={}", nowMs, address);
        });
        if (answering.isPresent() || nowMs > PATIENCE.toMillis()) {
            executor.shutdown();
        }
    }

    /** True once it is said, or given up. */
    boolean hasEnded() {
        return executor.isShutdown();
    }

    private static Stream<URI> addresses(final ServiceReference<?> webServer) {
        return webServer != null && webServer.getProperty(ADDRESSES) instanceof String[] addresses
            ? Arrays.stream(addresses).map(address -> URI.create(address.replace(EVERYWHERE, HERE)))
            : Stream.empty();
    }

    private static boolean answers(final URI address) {
        try {
            final var connection = (HttpURLConnection) address.toURL().openConnection();
            connection.setConnectTimeout((int) PERIOD.toMillis());
            connection.setReadTimeout((int) PATIENCE.toMillis());
            try {
                return connection.getResponseCode() == HttpURLConnection.HTTP_UNAUTHORIZED
                    && connection.getHeaderField(CHALLENGE) != null;
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            return false;
        }
    }
}
