// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.planner.lp.Limits;
import io.sluice.planner.lp.Objective;
import io.sluice.planner.placement.PlacementTask;
import io.sluice.planner.plan.Guide;
import io.sluice.planner.run.Run;
import io.sluice.planner.run.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** RESTCONF leaves out what a client does: the code fills in what the model says. */
class DefaultsTest {
    private static final Path MODEL = Path.of("..", "..", "models", "src", "main", "yang", "sluice-planner.yang");
    private static final double MILLION = 1e6;

    @Test
    void whatIsNotSaidIsWhatTheModelSays() throws IOException {
        final var code = Map.of(
            "headroom", ppm(Guide.HEADROOM),
            "moves-interval", Long.toString(MoveWatch.NEVER),
            "gap", ppm(Limits.GAP),
            "time-limit", Long.toString(Run.TIME_LIMIT_S),
            "objective", Objective.USUAL.name().toLowerCase(Locale.ROOT),
            "max-moves", Integer.toString(Task.Moves.MOST),
            "new-sites", Integer.toString(PlacementTask.NEW_SITES));
        final var model = Files.readString(MODEL);
        assertEquals(code, code.keySet().stream().collect(Collectors.toMap(leaf -> leaf, leaf -> said(model, leaf))));
    }

    private static String ppm(final double share) {
        return Long.toString(Math.round(share * MILLION));
    }

    /** The default of the leaf of this name that has one; other leaves of the name have none. */
    private static String said(final String model, final String leaf) {
        return Pattern.compile("\\bleaf " + leaf + " \\{((?!\\bleaf\\b).)*?default \"([^\"]*)\"", Pattern.DOTALL)
            .matcher(model).results().map(match -> match.group(2)).collect(Collectors.joining(", "));
    }
}
