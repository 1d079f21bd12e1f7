// SPDX-License-Identifier: EPL-2.0
package io.sluice.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The walls of docs/ARCHITECTURE.md, checked over the class files of all modules. */
@AnalyzeClasses(packages = "io.sluice", importOptions = ImportOption.DoNotIncludeTests.class)
class DependenciesTest {
    private static final String BINDINGS = "org.opendaylight.yang.gen..";
    private static final String[] PROTOCOLS = {
        "org.opendaylight.openflowplugin..", "org.opendaylight.openflowjava..",
        "org.opendaylight.yang.gen.v1.urn.opendaylight.flow..", "org.opendaylight.yang.gen.v1.urn.opendaylight.group..",
        "org.opendaylight.yang.gen.v1.urn.opendaylight.meter..", "org.opendaylight.yang.gen.v1.urn.opendaylight.table..",
        "org.opendaylight.yang.gen.v1.urn.opendaylight.packet..", "org.opendaylight.yang.gen.v1.urn.opendaylight.port..",
        "org.opendaylight.yang.gen.v1.urn.opendaylight.inventory..",
        "org.opendaylight.yang.gen.v1.urn.opendaylight.openflow..",
    };

    /** Everybody may use {@code api} and the plain libraries; nobody uses who implements or decides. */
    @ArchTest
    static final ArchRule DEPENDENCIES_RUN_ONE_WAY = slices().matching("io.sluice.(*)..")
        .should().notDependOnEachOther()
        .ignoreDependency(alwaysTrue(), resideInAnyPackage("io.sluice.api..", "io.sluice.graph..",
            "io.sluice.planner..", "io.sluice.ortools.."));

    @ArchTest
    static final ArchRule API_USES_NO_OTHER_MODULE = usesNothingOfSluiceBeside("api");

    @ArchTest
    static final ArchRule GRAPH_USES_NO_OTHER_MODULE = usesNothingOfSluiceBeside("graph");

    @ArchTest
    static final ArchRule PLAIN_LIBRARIES_ARE_PLAIN_JAVA = classes()
        .that().resideInAnyPackage("io.sluice.api..", "io.sluice.graph..")
        .should().onlyDependOnClassesThat(resideInAnyPackage("java..", "io.sluice.."));

    @ArchTest
    static final ArchRule BINDINGS_STAY_IN_MDSAL_PACKAGES = noClasses()
        .that().resideInAPackage("io.sluice..").and().resideOutsideOfPackage("io.sluice..mdsal..")
        .should().dependOnClassesThat(resideInAPackage(BINDINGS));

    @ArchTest
    static final ArchRule ONLY_SOUTHBOUND_KNOWS_OPENFLOW = noClasses()
        .that().resideInAPackage("io.sluice..").and().resideOutsideOfPackage("io.sluice.southbound..")
        .should().dependOnClassesThat(resideInAnyPackage(PROTOCOLS));

    private static ArchRule usesNothingOfSluiceBeside(final String module) {
        final var own = "io.sluice." + module + "..";
        return noClasses().that().resideInAPackage(own)
            .should().dependOnClassesThat(resideInAPackage("io.sluice..").and(resideOutsideOfPackages(own)));
    }
}
