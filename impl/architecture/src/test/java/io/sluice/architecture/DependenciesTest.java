// SPDX-License-Identifier: EPL-2.0
package io.sluice.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The walls of docs/ARCHITECTURE.md, checked over the class files of all modules. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DependenciesTest {
    private static final String[] OPENFLOW = {
        "org.opendaylight.openflowplugin..", "org.opendaylight.openflowjava..",
        "org.opendaylight.yang.gen.v1.urn.opendaylight.flow..", "org.opendaylight.yang.gen.v1.urn.opendaylight.group..",
        "org.opendaylight.yang.gen.v1.urn.opendaylight.meter..", "org.opendaylight.yang.gen.v1.urn.opendaylight.table..",
        "org.opendaylight.yang.gen.v1.urn.opendaylight.packet..", "org.opendaylight.yang.gen.v1.urn.opendaylight.port..",
        "org.opendaylight.yang.gen.v1.urn.opendaylight.inventory..",
        "org.opendaylight.yang.gen.v1.urn.opendaylight.openflow..",
    };

    private final JavaClasses sluice = new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages("io.sluice");

    /** A rule over classes that were not found would hold without a reason. */
    @ParameterizedTest
    @ValueSource(strings = {"api", "southbound", "multipath", "bandwidth", "bus", "shell", "ortools", "metrics",
        "planner", "startup", "mdsal", "nacl"})
    void everyModuleIsLookedAt(final String module) {
        assertTrue(sluice.containPackage("io.sluice." + module));
    }

    @Test
    void everybodyUsesOnlyApiAndThePlainLibraries() {
        slices().matching("io.sluice.(*)..").should().notDependOnEachOther()
            .ignoreDependency(alwaysTrue(), resideInAnyPackage("io.sluice.api..", "io.sluice.graph..",
                "io.sluice.mdsal..", "io.sluice.planner..", "io.sluice.ortools.."))
            .check(sluice);
    }

    @Test
    void apiUsesTheJdkAlone() {
        classes().that().resideInAPackage("io.sluice.api..")
            .should().onlyDependOnClassesThat().resideInAnyPackage("java..", "io.sluice.api..")
            .check(sluice);
    }

    @Test
    void plainLibrariesArePlainJava() {
        classes().that().resideInAnyPackage("io.sluice.api..", "io.sluice.graph..")
            .should().onlyDependOnClassesThat().resideInAnyPackage("java..", "io.sluice.api..", "io.sluice.graph..")
            .check(sluice);
    }

    @Test
    void generatedBindingsStayInMdsalPackages() {
        noClasses().that().resideOutsideOfPackage("io.sluice..mdsal..")
            .should().dependOnClassesThat().resideInAPackage("org.opendaylight.yang.gen..")
            .check(sluice);
    }

    @Test
    void onlySouthboundKnowsOpenFlow() {
        noClasses().that().resideOutsideOfPackage("io.sluice.southbound..")
            .should().dependOnClassesThat().resideInAnyPackage(OPENFLOW)
            .check(sluice);
    }

    /** "YANG once": a command or a metric that needs code of its own would be described twice. */
    @ParameterizedTest
    @ValueSource(strings = {"shell", "metrics"})
    void whatIsMadeFromTheModelsKnowsNoModelAndNoModule(final String module) {
        final var own = "io.sluice." + module + "..";
        noClasses().that().resideInAPackage(own)
            .should().dependOnClassesThat(resideInAnyPackage("org.opendaylight.yang.gen..", "io.sluice..")
                .and(not(resideInAPackage(own))))
            .check(sluice);
    }
}
