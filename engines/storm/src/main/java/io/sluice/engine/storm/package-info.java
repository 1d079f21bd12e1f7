// SPDX-License-Identifier: EPL-2.0
/**
 * Bandwidth for Apache Storm: each pair of tasks has a TCP connection of its own, Nimbus knows what each carried and
 * what waits, and Sluice's controller gives it the rate at which its topology goes fastest.
 *
 * <pre>
 *   worker: FlowTransport                              Nimbus: FlowScheduler
 *     .transport  FlowContext                            .placement  Placer, FlowMap
 *        | PeerConnection -- FlowChannel per pair           |
 *        | FlowSampler, KernelQueues, Arrivals              v
 *        +--- .report  WorkerReport, each second ---&gt;   .control  FlowLedger, Registrar --RESTCONF--&gt; controller
 * </pre>
 *
 * <p>The registrar looks at each topology each second:
 * <pre>
 *   placed --&gt; told --- all is well, each interval ---+
 *               ^  \                                  |
 *               |   +-- refused or unreachable --&gt; PAUSED, 1 s, doubled to 60 s
 *               +------------- over --------------------+
 *   gone   --&gt; its flows are removed, with its application if that has no others, tried until it is done
 * </pre>
 *
 * <p>Tuples wait for none of this.
 */
package io.sluice.engine.storm;
