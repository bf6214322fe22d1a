import { PackageSymbols } from './discover/package-symbols.js';
import { findServices } from './discover/find-services.js';
import type { CompiledProject } from './compiled-project.js';
import { reportDuplicateNames } from './diagnostics/report-duplicate-names.js';
import { Reporter } from './diagnostics/reporter.js';
import { ClassRegistry } from './emit/class-registry.js';
import { describeClass } from './emit/describe-class.js';
import type { Project } from './program/open-project.js';
import { RevivalBuilder } from './revival/build-revival.js';
import { OperationCompiler } from './signature/compile-operation.js';
import { SchemaGenerator } from './types/schema-generator.js';
import { DecoratorRules } from './validators/decorator-rules.js';

/** Compiles every decorated method of a project, in the order of files and lines. */
export function compileProject(project: Project): CompiledProject {
  const { checker, root } = project;
  const core = new PackageSymbols(checker);
  const reporter = new Reporter(root);
  const rules = new DecoratorRules(checker, core);
  const generator = new SchemaGenerator(checker, reporter, rules);
  const registry = new ClassRegistry(project, reporter, core, rules);
  const revivals = new RevivalBuilder(checker, generator, (type, role) => registry.classOf(type, role));
  const compiler = new OperationCompiler(checker, core, generator, reporter, revivals);
  const compiled: CompiledProject = {
    root,
    operations: [],
    classes: {},
    revivals: {},
    files: project.sources.map((file) => file.fileName),
  };
  for (const file of project.sources) {
    for (const service of findServices(file, checker, core)) {
      const operations = service.operations.map((site) => compiler.compile(service, site));
      compiled.operations.push(...operations);
      const [{ classKey }] = operations as [(typeof operations)[0]];
      compiled.classes[classKey] = describeClass(service, project, reporter, core);
    }
  }
  for (const [key, described] of Object.entries(registry.describe())) {
    compiled.classes[key] = { ...described, ...compiled.classes[key] };
  }
  compiled.revivals = revivals.shared;
  reportDuplicateNames(compiled.operations);
  return compiled;
}
