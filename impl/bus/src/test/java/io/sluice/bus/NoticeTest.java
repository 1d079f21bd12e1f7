// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** The bundle says what others wrote of it, under which licence, and where its source is. */
class NoticeTest {
    private static String notice() throws IOException {
        return Files.readString(Path.of("target/classes/META-INF/NOTICE"));
    }

    @Test
    void theLibraryInTheBundleIsThereWithItsVersion() throws IOException {
        final var properties = new Properties();
        try (var in = Remote.class.getResourceAsStream("/META-INF/maven/org.zeromq/jeromq/pom.properties")) {
            properties.load(in);
        }
        final var title = "JeroMQ " + properties.getProperty("version");

        assertTrue(notice().contains(title), title);
    }

    @Test
    void whatTheLicenceAsksForIsThere() throws IOException {
        final var notice = notice();
        assertTrue(List.of("https://mozilla.org/MPL/2.0/", "org.zeromq:jeromq:0.6.0:sources").stream()
            .allMatch(notice::contains));
    }
}
