// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

/**
 * What happened since the engine began.
 *
 * @param rounds that have ended, the refused ones too
 * @param refused rounds that were refused
 * @param meterChanges meters and marks that were added, changed or removed
 * @param decidingNs time that rounds took to see what there is and to decide
 * @param enforcingNs time from decisions until the switches had answered, of rounds that were not refused
 */
public record Totals(long rounds, long refused, long meterChanges, long decidingNs, long enforcingNs) {
    static final Totals NONE = new Totals(0, 0, 0, 0, 0);

    /** With a decision more. */
    Totals decided(final long tookNs) {
        return new Totals(rounds, refused, meterChanges, decidingNs + tookNs, enforcingNs);
    }

    /** With a round more, which was refused. */
    Totals andRefused() {
        return new Totals(rounds + 1, refused + 1, meterChanges, decidingNs, enforcingNs);
    }

    /** With a round more, whose decision the switches have. */
    Totals enforced(final long tookNs) {
        return new Totals(rounds + 1, refused, meterChanges, decidingNs, enforcingNs + tookNs);
    }

    /** With so many changes more. */
    Totals changed(final int meters) {
        return new Totals(rounds, refused, meterChanges + meters, decidingNs, enforcingNs);
    }
}
