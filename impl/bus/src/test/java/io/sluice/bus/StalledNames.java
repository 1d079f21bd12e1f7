// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/** Looks names up as ever, but those that end in {@code .stalled} as if the name server were dead. */
public final class StalledNames extends InetAddressResolverProvider {
    /** Lookups that have begun. */
    static final Semaphore BEGUN = new Semaphore(0);

    private static final Semaphore ANSWERS = new Semaphore(0);

    /** Lets a lookup end, with no address. */
    static void answer() {
        ANSWERS.release();
    }

    @Override
    public InetAddressResolver get(final Configuration configuration) {
        final var builtin = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(final String host, final LookupPolicy policy)
                    throws UnknownHostException {
                if (host.endsWith(".stalled")) {
                    BEGUN.release();
                    ANSWERS.acquireUninterruptibly();
                    throw new UnknownHostException(host);
                }
                return builtin.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(final byte[] address) throws UnknownHostException {
                return builtin.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "names that stall";
    }
}
