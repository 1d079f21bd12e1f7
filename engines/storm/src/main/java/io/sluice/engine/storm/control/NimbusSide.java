// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import io.sluice.engine.storm.EverySecond;
import io.sluice.engine.storm.Settings;
import io.sluice.engine.storm.placement.FlowMap;
import io.sluice.engine.storm.report.ReportServer;
import java.io.IOException;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What runs inside Nimbus: the server for the workers' reports, and the registrar, each second on its own thread. */
public final class NimbusSide implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NimbusSide.class);

    private final Registrar registrar;
    private final ReportServer server;
    private final EverySecond ticks;

    /**
     * Begins at once.
     *
     * @throws IOException if the port for reports is not to be had
     */
    public NimbusSide(final Settings settings) throws IOException {
        registrar = new Registrar(settings, System::nanoTime);
        server = new ReportServer(settings.reportPort(), registrar::take, registrar::flows);
        ticks = new EverySecond("sluice-registrar", "flows can't be told to the controller", registrar::tick);
        LOG.info("the controller at {} is told of flows, tenant {}", settings.access().controller(),
            settings.access().tenant());
    }

    /** These topologies there are, and no others. */
    public void placed(final Collection<FlowMap> maps) {
        registrar.placed(maps);
    }

    @Override
    public void close() {
        ticks.close();
        server.close();
    }
}
