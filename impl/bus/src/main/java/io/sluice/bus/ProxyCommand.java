// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZMQException;

/** A site's proxy as a process of its own. */
public final class ProxyCommand {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyCommand.class);
    private static final long WATCH_MS = 1000;
    private static final String HELP = """
        usage: bus-proxy --config FILE [--metrics ADDRESS:PORT]
                                            run the proxy of a site until it is killed
               bus-proxy --make-keys FILE   write a new key pair to FILE (mode 0600) and print its public key
               bus-proxy --help

        --metrics ADDRESS:PORT   serve counters for Prometheus at http://ADDRESS:PORT/metrics, without a password:
                                 who reaches it reads names of nodes and sites; an address of this machine itself,
                                 as 127.0.0.1, keeps them here

        FILE of --config has lines  name = value:
          site          this site: 1 to 31 letters, digits and -
          bind          where to listen: tcp://ADDRESS:PORT
          keys          file with this proxy's key pair, as --make-keys writes it
          allow         file with a line  NAME KEY  for each public key that may connect; NAME is
                        SITE/NODE of a node of this site, or SITE of another site's proxy
          remote.SITE   tcp://HOST:PORT KEY  of another site's proxy; only sites after this one in ASCII
                        order are connected to, the others connect here
        Files are found relative to FILE's folder. They are watched: a change takes effect within a second, and
        a wrong one leaves all as it was.
        """;

    private ProxyCommand() {
        // a command
    }

    /** Runs the command; exits with 0, 1 if something failed, or 2 for a wrong command line. */
    public static void main(final String[] args) throws InterruptedException {
        final int code = run(args, System.out, System.err);
        if (code != 0) {
            System.exit(code);
        }
    }

    static int run(final String[] args, final PrintStream out, final PrintStream err) throws InterruptedException {
        try {
            if (args.length == 1 && "--help".equals(args[0])) {
                out.print(HELP);
            } else if (args.length == 2 && "--make-keys".equals(args[0])) {
                final var keys = CurveKeys.generate();
                keys.save(Path.of(args[1]));
                out.println(keys.publicKey());
            } else if (args.length == 2 && "--config".equals(args[0])) {
                serve(Path.of(args[1]), Optional.empty(), out);
            } else if (args.length == 4 && "--config".equals(args[0]) && "--metrics".equals(args[2])) {
                serve(Path.of(args[1]), Optional.of(MetricsServer.address(args[3])), out);
            } else {
                err.print(HELP);
                return 2;
            }
            return 0;
        } catch (IOException | ZMQException | IllegalArgumentException e) {
            err.println("bus-proxy: " + e);
            return 1;
        }
    }

    private static void serve(final Path file, final Optional<InetSocketAddress> metrics, final PrintStream out)
            throws IOException, InterruptedException {
        var changed = ProxyConfig.changed(file);
        final var config = ProxyConfig.load(file);
        try (var proxy = new SiteProxy(config.site(), config.bind(), config.keys(), config.allowed(),
                BusLimits.DEFAULT); var server = metrics.isPresent() ? serve(proxy, metrics.orElseThrow()) : null) {
            proxy.update(config.keys(), config.allowed(), config.remotes());
            out.println("site " + config.site() + " listens on " + proxy.address());
            if (server != null) {
                out.println("metrics at " + server.url());
            }
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(WATCH_MS);
                final var now = ProxyConfig.changed(file);
                if (!now.equals(changed)) {
                    changed = now;
                    reload(file, config, proxy);
                }
            }
        }
    }

    private static MetricsServer serve(final SiteProxy proxy, final InetSocketAddress metrics) throws IOException {
        return new MetricsServer(metrics, () -> proxy.state()
            .thenApply(state -> ProxyMetrics.of(state, proxy.refusedConnections())));
    }

    private static void reload(final Path file, final ProxyConfig first, final SiteProxy proxy) {
        try {
            final var config = ProxyConfig.load(file);
            if (!config.site().equals(first.site()) || !config.bind().equals(first.bind())) {
                LOG.warn("site and address change at a restart only");
            }
            proxy.update(config.keys(), config.allowed(), config.remotes());
            LOG.info("read {} and its keys again", file);
        } catch (IOException e) {
            LOG.error("nothing is changed", e);
        }
    }
}
