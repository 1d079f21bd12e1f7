// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

/** Whether the engine of an application tells of its flows. */
public enum Reporting {
    /** It never did while this controller acts. */
    NONE,
    /** It does. */
    CURRENT,
    /** It did, and has not for three intervals: the demands of its flows fade, and fair shares are left. */
    SILENT
}
