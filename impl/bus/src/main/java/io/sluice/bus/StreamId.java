// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import io.sluice.api.Topic;

/** The messages of one publisher on one topic; its epochs follow each other. */
record StreamId(NodeName publisher, Topic topic) { }
