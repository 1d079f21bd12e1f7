// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify.mdsal;

import io.sluice.southbound.qualify.Report;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.CheckResult;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.FigureUnit;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.QualifyOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.QualifyOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.qualify.output.Check;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.qualify.output.CheckBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.qualify.output.check.Figure;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.qualify.output.check.FigureBuilder;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Reports in the words of sluice-fabric. */
final class ReportWords {
    private ReportWords() {
        // functions only
    }

    static QualifyOutput encode(final Report report) {
        return new QualifyOutputBuilder().setVerdict(report.verdict())
            .setCheck(report.checks().stream().map(ReportWords::encode).toList()).build();
    }

    private static Check encode(final io.sluice.southbound.qualify.Check check) {
        return new CheckBuilder().setName(check.name().word())
            .setResult(switch (check.result()) {
                case WORKS -> CheckResult.Works;
                case FAILS -> CheckResult.Fails;
                case NOT_SUPPORTED -> CheckResult.NotSupported;
                case NOT_MEASURED -> CheckResult.NotMeasured;
            })
            .setReason(check.reason().isEmpty() ? null : check.reason())
            .setFigure(check.figures().stream().map(ReportWords::encode).collect(BindingMap.toMap())).build();
    }

    private static Figure encode(final io.sluice.southbound.qualify.Check.Figure figure) {
        return new FigureBuilder().setName(figure.name()).setValue(Uint64.valueOf(figure.value()))
            .setUnit(switch (figure.unit()) {
                case MICROSECONDS -> FigureUnit.Microseconds;
                case ENTRIES -> FigureUnit.Entries;
                case ENTRIES_PER_SECOND -> FigureUnit.EntriesPerSecond;
                case KILOBITS -> FigureUnit.Kilobits;
                case KILOBITS_PER_SECOND -> FigureUnit.KilobitsPerSecond;
            }).build();
    }
}
