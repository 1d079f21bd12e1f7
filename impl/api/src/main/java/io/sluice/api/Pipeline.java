// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/**
 * The tables that a packet passes, and who declares entries in them.
 * <pre>
 *                           no label                              label
 *  packet --&gt; METER --&gt; CLASSIFY ---------------------------&gt; STEER -----------&gt; out to the next switch
 *             rates of      |  connection: give it a label       |  label ends here
 *             flows         |  label: straight on                v
 *                           |  nothing fits: to the controller  DELIVER --&gt; own address back in, out to the host
 *                           +--- both ends on this switch ------^
 * </pre>
 * A label is a locally administered destination address ({@link PathLabel}); it costs no bytes on the wire. METER
 * belongs to whoever sets rates: it sees packets as their hosts sent them, and says nothing of where they go. CLASSIFY
 * belongs to the applications, STEER to whoever owns the path, DELIVER and the fall-back of each table to the fabric.
 */
public final class Pipeline {
    public static final int METER = 0;
    public static final int CLASSIFY = 1;
    public static final int STEER = 2;
    public static final int DELIVER = 3;

    /** The fabric's fall-back: METER lets packets pass; what no application wants goes to the controller, metered. */
    public static final int PRIORITY_MISS = 0;
    /** Packets that were marked where they entered the network. */
    public static final int PRIORITY_MARKED = 500;
    /** One connection. */
    public static final int PRIORITY_CONNECTION = 1000;
    /**
     * Packets with a VLAN tag that no entry of their VLAN takes: above all entries of untagged packets, which look at
     * no tag.
     */
    public static final int PRIORITY_TAGGED_MISS = 1500;
    /** One connection in a VLAN. */
    public static final int PRIORITY_TAGGED_CONNECTION = 1600;
    /** A packet that bears a label already. */
    public static final int PRIORITY_LABELLED = 2000;
    /** Discovery and address resolution: always to the controller. */
    public static final int PRIORITY_CONTROL = 3000;

    /** Packets with a VLAN tag, in METER: no entry of untagged ones may take them. */
    public static final int PRIORITY_TAGGED = 4000;

    private Pipeline() {
        // constants only
    }
}
