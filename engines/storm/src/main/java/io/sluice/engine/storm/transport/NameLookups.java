// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.storm.shade.io.netty.resolver.AddressResolver;
import org.apache.storm.shade.io.netty.resolver.AddressResolverGroup;
import org.apache.storm.shade.io.netty.resolver.DefaultNameResolver;
import org.apache.storm.shade.io.netty.util.concurrent.EventExecutor;
import org.apache.storm.shade.io.netty.util.concurrent.Promise;

/**
 * Looks the names of workers' hosts up, each name on a thread of its own. Netty's way is to do it on the thread of the
 * connection, on which all others wait meanwhile, and a name server that does not answer takes many seconds.
 */
final class NameLookups extends AddressResolverGroup<InetSocketAddress> {
    private final Names names;
    /** Names that are being looked up, with what will be found. */
    private final Map<String, CompletableFuture<InetAddress>> asked = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        final var made = new Thread(task, "sluice-names");
        made.setDaemon(true);
        return made;
    });

    /** Who knows names. */
    @FunctionalInterface
    interface Names {
        /** The address of a host; may take its time. */
        InetAddress address(String host) throws UnknownHostException;
    }

    NameLookups(final Names names) {
        this.names = names;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(final EventExecutor executor) {
        return new DefaultNameResolver(executor) {
            @Override
            protected void doResolve(final String host, final Promise<InetAddress> found) {
                asked.computeIfAbsent(host, NameLookups.this::ask).whenComplete((address, failure) -> {
                    if (failure == null) {
                        found.trySuccess(address);
                    } else {
                        found.tryFailure(failure);
                    }
                });
            }
        }.asAddressResolver();
    }

    private CompletableFuture<InetAddress> ask(final String host) {
        final var answer = new CompletableFuture<InetAddress>();
        threads.execute(() -> {
            try {
                answer.complete(names.address(host));
            } catch (UnknownHostException | RuntimeException e) {
                answer.completeExceptionally(e);
            } finally {
                asked.remove(host);
            }
        });
        return answer;
    }

    @Override
    public void close() {
        super.close();
        threads.shutdownNow();
    }
}
