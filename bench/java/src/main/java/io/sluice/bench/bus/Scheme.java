// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import java.nio.file.Path;
import java.util.function.Predicate;

/** A way from a publisher at site A to subscribers at other sites. */
interface Scheme {
    /**
     * Opens the publisher's end.
     *
     * @param folder has the keys of all sites
     * @return publishes a body, or returns false and has not
     */
    Predicate<String> publisher(Path folder, int sites);

    /** Opens the subscribers at a site, numbered from 0. */
    void subscribe(Path folder, int site, int subscribers, Sink sink);

    /** Takes what a subscriber gets; any thread may call. */
    interface Sink {
        void take(int subscriber, String body);
    }

    /** Returns the name of a site by number; 0 is the publisher's. */
    static String site(final int number) {
        return number == 0 ? "A" : String.format("B%03d", number);
    }

    /** Returns the address of a site by number, which the network gives to it. */
    static String address(final int number, final int port) {
        return String.format("tcp://10.77.%d.2:%d", number, port);
    }
}
