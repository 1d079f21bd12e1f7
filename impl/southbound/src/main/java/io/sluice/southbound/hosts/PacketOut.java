// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.PortId;

/** A frame to send out of {@code port}; not to be changed. */
public record PacketOut(PortId port, byte[] frame) { }
