// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.PathLabel;
import io.sluice.api.SwitchId;
import io.sluice.multipath.steering.PathRecord.Protection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The paths in use and the detours that protect them. Equal paths are one path; equal detours likewise. */
final class PathCatalogue {
    /** What a detour is for. */
    private record Around(Hop lost, SwitchId egress) { }

    private final LabelPool labels;
    private final SharedRecords<List<Hop>, PathRecord> paths = new SharedRecords<>(PathRecord::hops);
    private final SharedRecords<Around, DetourRecord> detours =
        new SharedRecords<>(detour -> new Around(detour.lost(), detour.egress()));

    PathCatalogue(final int largestLabel) {
        labels = new LabelPool(largestLabel);
    }

    Optional<PathRecord> path(final PathLabel label) {
        return paths.find(label);
    }

    Optional<DetourRecord> detour(final PathLabel label) {
        return detours.find(label);
    }

    List<PathRecord> paths() {
        return paths.all();
    }

    List<DetourRecord> detours() {
        return detours.all();
    }

    /** True if paths of {@code hops} hops in total, with a detour for each hop, can still get their labels. */
    boolean hasLabelsFor(final int numberOfPaths, final int hops) {
        return numberOfPaths + hops <= labels.free();
    }

    /** Counts a flow more on the path along {@code hops}, which is made and protected if it is new. */
    PathLabel enter(final List<Hop> hops, final DetourSearch search, final ChangeLog log) {
        final var path = paths.find(hops).orElseGet(() -> make(hops, search, log));
        paths.enter(path.label());
        return path.label();
    }

    /** Counts a flow less on a path, which goes with the last one. */
    void leave(final PathLabel label, final ChangeLog log) {
        paths.leave(label).ifPresent(path -> {
            log.withdraw(path);
            labels.giveBack(label);
            path.protections().forEach(protection -> leaveDetour(protection.detour(), log));
        });
    }

    /** Finds detours for hops that have none, and others for broken ones; a broken one stays if there is no other. */
    void repair(final DetourSearch search, final ChangeLog log) {
        for (var path : paths.all()) {
            final var protections = new ArrayList<Protection>();
            for (int index = 0; index < path.hops().size(); index++) {
                final var present = path.detourAround(index);
                final var better = isProtected(path, index, search) ? Optional.<PathLabel>empty()
                    : enterDetour(path.hops().get(index), path.egress(), search, log);
                better.flatMap(ignored -> present).ifPresent(broken -> leaveDetour(broken, log));
                final int hopIndex = index;
                better.or(() -> present).ifPresent(label -> protections.add(new Protection(hopIndex, label)));
            }
            if (!protections.equals(path.protections())) {
                final var repaired = new PathRecord(path.label(), path.hops(), protections);
                paths.put(repaired);
                log.declare(repaired);
            }
        }
    }

    /** Hops of a path whose loss would stop it: they have no detour, or a broken one. */
    List<Hop> unprotected(final PathLabel label, final DetourSearch search) {
        final var path = paths.find(label).orElseThrow();
        return IntStream.range(0, path.hops().size()).filter(index -> !isProtected(path, index, search))
            .mapToObj(path.hops()::get).toList();
    }

    /**
     * Counts a flow more on a path of an earlier run.
     *
     * @param recorded finds what is recorded by object number
     * @throws IllegalArgumentException if a detour has the label of a path
     */
    void restore(final PathLabel label, final Function<Long, Optional<SteeringRecord>> recorded) {
        if (paths.find(label).isEmpty()) {
            final var path = find(recorded, ObjectKind.PATH, label, PathRecord.class);
            labels.retake(label);
            paths.put(path);
            path.protections().forEach(protection -> restoreDetour(protection.detour(), recorded));
        }
        paths.enter(label);
    }

    private void restoreDetour(final PathLabel label, final Function<Long, Optional<SteeringRecord>> recorded) {
        if (detours.find(label).isEmpty()) {
            final var detour = find(recorded, ObjectKind.DETOUR, label, DetourRecord.class);
            labels.retake(label);
            detours.put(detour);
        }
        detours.enter(label);
    }

    /** Says which records of a path and its detours are missing. */
    static Stream<String> missing(final PathLabel label, final Function<Long, Optional<SteeringRecord>> recorded) {
        final var path = recorded.apply(ObjectKind.PATH.object(label.number())).map(PathRecord.class::cast);
        return path.isEmpty() ? Stream.of("the record of path " + label.number() + " is missing")
            : path.orElseThrow().protections().stream().map(protection -> protection.detour().number())
                .filter(detour -> recorded.apply(ObjectKind.DETOUR.object(detour)).isEmpty())
                .map(detour -> "the record of detour " + detour + " is missing");
    }

    private static <R> R find(final Function<Long, Optional<SteeringRecord>> recorded, final ObjectKind kind,
            final PathLabel label, final Class<R> type) {
        return recorded.apply(kind.object(label.number())).map(type::cast).orElseThrow();
    }

    private PathRecord make(final List<Hop> hops, final DetourSearch search, final ChangeLog log) {
        final var label = labels.take();
        final var egress = hops.getLast().in().switchId();
        final var protections = new ArrayList<Protection>();
        for (int index = 0; index < hops.size(); index++) {
            final int hopIndex = index;
            enterDetour(hops.get(index), egress, search, log)
                .ifPresent(detour -> protections.add(new Protection(hopIndex, detour)));
        }
        final var path = new PathRecord(label, hops, protections);
        paths.put(path);
        log.declare(path);
        return path;
    }

    private boolean isProtected(final PathRecord path, final int index, final DetourSearch search) {
        return path.detourAround(index).flatMap(detours::find).map(DetourRecord::hops).stream()
            .anyMatch(search::isIntact);
    }

    /** Returns the detour around {@code lost}; empty if there is none, or no label for it. */
    private Optional<PathLabel> enterDetour(final Hop lost, final SwitchId egress, final DetourSearch search,
            final ChangeLog log) {
        final var label = detours.find(new Around(lost, egress)).filter(known -> search.isIntact(known.hops()))
            .or(() -> makeDetour(lost, egress, search, log)).map(DetourRecord::label);
        label.ifPresent(detours::enter);
        return label;
    }

    private Optional<DetourRecord> makeDetour(final Hop lost, final SwitchId egress, final DetourSearch search,
            final ChangeLog log) {
        if (!hasLabelsFor(1, 0)) {
            return Optional.empty();
        }
        final var made = search.around(lost, egress).map(hops -> new DetourRecord(labels.take(), lost, hops));
        made.ifPresent(detours::put);
        made.ifPresent(log::declare);
        return made;
    }

    private void leaveDetour(final PathLabel label, final ChangeLog log) {
        detours.leave(label).ifPresent(detour -> {
            log.withdraw(detour);
            labels.giveBack(label);
        });
    }
}
