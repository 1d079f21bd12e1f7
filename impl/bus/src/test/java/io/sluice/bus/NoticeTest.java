// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bundle says what others wrote of it, under which licence, and where its source is. */
class NoticeTest {
    private static String notice() throws IOException {
        return Files.readString(Path.of("target/classes/META-INF/NOTICE"));
    }

    @ParameterizedTest
    @CsvSource({"org.zeromq, jeromq, JeroMQ", "eu.neilalexander, jnacl, jnacl"})
    void eachLibraryInTheBundleIsThereWithItsVersion(final String group, final String artifact, final String name)
            throws IOException {
        final var properties = new Properties();
        try (var in = Remote.class.getResourceAsStream("/META-INF/maven/" + group + "/" + artifact
                + "/pom.properties")) {
            properties.load(in);
        }
        final var title = name + " " + properties.getProperty("version");

        assertTrue(notice().contains(title), title);
    }

    @Test
    void whatTheLicencesAskForIsThere() throws IOException {
        final var notice = notice();
        assertTrue(List.of("https://mozilla.org/MPL/2.0/", "org.zeromq:jeromq:0.6.0:sources", "Copyright (c) 2011, "
            + "Neil Alexander T.", "Redistributions in binary form").stream().allMatch(notice::contains));
    }
}
