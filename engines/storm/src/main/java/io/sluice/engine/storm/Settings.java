// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What storm.yaml says of Sluice. All keys have defaults; {@code docs/storm.md} lists them.
 *
 * @param access to the controller
 * @param interval time between two reports to the controller
 * @param reportPort port on Nimbus that takes the workers' reports
 * @param nimbuses where reports go to, without path: Nimbus may run on each of these hosts
 * @param placementAge a Nimbus that has not placed topologies for so long does not lead
 * @param pacing senders keep to the rates of their meters, so that these have nothing to drop
 */
public record Settings(Access access, Duration interval, int reportPort, List<URI> nimbuses, Duration placementAge,
        boolean pacing) {
    /** Where RESTCONF answers. */
    public static final String CONTROLLER = "sluice.controller.url";
    /** Whom the controller knows. */
    public static final String USER = "sluice.controller.user";
    /** Where that user's password is. */
    public static final String PASSWORD_FILE = "sluice.controller.password.file";
    /** Under which topologies are registered. */
    public static final String TENANT = "sluice.tenant";
    /** Seconds between two reports. */
    public static final String INTERVAL = "sluice.interval.secs";
    /** Port on Nimbus. */
    public static final String REPORT_PORT = "sluice.report.port";
    /** Whether senders keep to the rates of their meters; a topology may say otherwise for its own. */
    public static final String PACING = "sluice.pacing";
    /** Key of a topology: for each component that has its place the hosts of its tasks. */
    public static final String PLACEMENT = "sluice.placement";

    private static final String NIMBUSES = "nimbus.seeds";
    /** Seconds between two placements. */
    private static final String PLACING = "nimbus.monitor.freq.secs";
    private static final int DEFAULT_PLACING_S = 10;
    private static final int MISSED_PLACINGS = 6;
    private static final int DEFAULT_REPORT_PORT = 6690;
    private static final int DEFAULT_INTERVAL_S = 5;
    /** A report may be of three intervals, and of an hour at most. */
    private static final int MOST_INTERVAL_S = 1200;
    private static final int MOST_PORT = 65_535;
    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    /**
     * Where the controller is, and who asks it.
     *
     * @param controller where RESTCONF answers, without path
     * @param user whom the controller knows
     * @param passwordFile file with that user's password and nothing else
     * @param tenant under which topologies are registered
     */
    public record Access(URI controller, String user, Path passwordFile, String tenant) { }

    public Settings {
        nimbuses = List.copyOf(nimbuses);
    }

    /**
     * Reads Storm's configuration.
     *
     * @throws IllegalArgumentException that names the key which has no sense, and what would have
     */
    public static Settings from(final Map<String, Object> conf) {
        final int reportPort = number(conf, REPORT_PORT, DEFAULT_REPORT_PORT, MOST_PORT);
        return new Settings(access(conf),
            Duration.ofSeconds(number(conf, INTERVAL, DEFAULT_INTERVAL_S, MOST_INTERVAL_S)), reportPort,
            nimbuses(conf, reportPort),
            Duration.ofSeconds(MISSED_PLACINGS * (long) number(conf, PLACING, DEFAULT_PLACING_S, Integer.MAX_VALUE)),
            pacing(conf));
    }

    private static Access access(final Map<String, Object> conf) {
        return new Access(controller(text(conf, CONTROLLER, "http://127.0.0.1:8181")), text(conf, USER, "admin"),
            Path.of(text(conf, PASSWORD_FILE, System.getProperty("storm.home", ".") + "/conf/sluice.password")),
            tenant(text(conf, TENANT, "storm")));
    }

    private static URI controller(final String text) {
        if (text.contains("@")) {
            throw new IllegalArgumentException(CONTROLLER + " in storm.yaml has a user in it; say who that is as "
                + USER + ", and leave the password in the file that " + PASSWORD_FILE + " names");
        }
        final URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw refusal(CONTROLLER, text, "an address like http://controller:8181", e);
        }
        if (uri.getHost() == null || !List.of("http", "https").contains(uri.getScheme())
                || !List.of("", "/").contains(uri.getRawPath()) || uri.getRawQuery() != null
                || uri.getRawFragment() != null) {
            throw refusal(CONTROLLER, text, "an address like http://controller:8181", null);
        }
        return URI.create(uri.getScheme() + "://" + uri.getRawAuthority());
    }

    private static String tenant(final String text) {
        if (!text.matches(NAME)) {
            throw refusal(TENANT, text, "1 to 64 letters, digits, dots, hyphens and underscores, the first"
                + " a letter or digit", null);
        }
        return text;
    }

    private static List<URI> nimbuses(final Map<String, Object> conf, final int port) {
        final var hosts = conf.get(NIMBUSES) instanceof Collection<?> seeds && !seeds.isEmpty()
            ? seeds.stream().map(String::valueOf).toList() : List.of("localhost");
        return hosts.stream().map(host -> nimbus(host, port)).toList();
    }

    /** A URL can't have every name that a host can. */
    private static URI nimbus(final String host, final int port) {
        final String inUrl = host.contains(":") ? "[" + host + "]" : host;
        final String wanted = "a name of letters, digits, dots and hyphens, or an IP address";
        final URI uri;
        try {
            uri = URI.create("http://" + inUrl + ":" + port);
        } catch (IllegalArgumentException e) {
            throw refusal(NIMBUSES, host, wanted, e);
        }
        if (!inUrl.equals(uri.getHost()) || uri.getPort() != port) {
            throw refusal(NIMBUSES, host, wanted, null);
        }
        return uri;
    }

    private static boolean pacing(final Map<String, Object> conf) {
        final Object value = conf.getOrDefault(PACING, true);
        if (value instanceof Boolean pacing) {
            return pacing;
        }
        throw refusal(PACING, value, "true or false", null);
    }

    private static String text(final Map<String, Object> conf, final String key, final String otherwise) {
        final Object value = conf.get(key);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof String text && !text.isBlank()) {
            return text;
        }
        throw refusal(key, value, "a text", null);
    }

    private static int number(final Map<String, Object> conf, final String key, final int otherwise, final int most) {
        final Object value = conf.getOrDefault(key, otherwise);
        if (value instanceof Integer || value instanceof Long) {
            final long number = ((Number) value).longValue();
            if (number >= 1 && number <= most) {
                return (int) number;
            }
        }
        throw refusal(key, value, "a whole number from 1 to " + most, null);
    }

    private static IllegalArgumentException refusal(final String key, final Object value, final String wanted,
            final Exception cause) {
        return new IllegalArgumentException(key + " in storm.yaml or of the topology is '" + value
            + "'; it has to be " + wanted, cause);
    }
}
