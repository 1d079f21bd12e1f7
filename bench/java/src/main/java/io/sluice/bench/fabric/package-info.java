// SPDX-License-Identifier: EPL-2.0
/**
 * Random events in a simulated network with the real controller in it, checked against a plain model.
 * <pre>
 *   EventDraw --Event--&gt; Simulation --&gt; World (the model: which station has which address)
 *                            |               ^
 *                            |               | who should answer
 *                            +--&gt; Stations --+-- Exchanges (who does answer)
 *                            |       | frames
 *                            +--&gt; Plant (switches, cables, control connections)
 *                                    | packets, ports, links, sessions
 *                                 Controller (view, desk, program, programmer, multipath engine)
 * </pre>
 * Everything runs on one thread in simulated time. The same seed gives the same run.
 */
package io.sluice.bench.fabric;
