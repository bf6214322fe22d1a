import { classId } from '@toolwright/manifest';
import type { ts } from './generator/tjs-adapter.js';
import type { CompiledFile } from './compiled-project.js';
import { Reporter } from './diagnostics/reporter.js';
import { findModuleClasses, findServices } from './discover/find-services.js';
import { PackageSymbols } from './discover/package-symbols.js';
import { ClassRegistry } from './emit/class-registry.js';
import { describeClass } from './emit/describe-class.js';
import type { Project } from './program/open-project.js';
import { QuestionCompiler } from './questions/compile-questions.js';
import { RevivalBuilder } from './revival/build-revival.js';
import { ScheduleCompiler } from './schedules/compile-schedules.js';
import { OperationCompiler } from './signature/compile-operation.js';
import { SchemaGenerator } from './generator/schema-generator.js';
import { DecoratorRules } from './validators/decorator-rules.js';

/**
 * Compiles the files of a project one at a time. The result for a file does not depend on which others were
 * compiled.
 */
export class FileCompiler {
  private readonly symbols: PackageSymbols;
  private readonly reporter: Reporter;
  private readonly rules: DecoratorRules;
  private readonly generator: SchemaGenerator;

  constructor(private readonly project: Project) {
    const { checker, root } = project;
    this.symbols = new PackageSymbols(checker);
    this.reporter = new Reporter(root);
    this.rules = new DecoratorRules(checker, this.symbols, this.reporter);
    this.generator = new SchemaGenerator(checker, this.reporter, this.rules);
  }

  compile(file: ts.SourceFile): CompiledFile {
    const { project, symbols, reporter, rules, generator } = this;
    const services = findServices(file, project.checker, symbols);
    const registry = new ClassRegistry(project, reporter, symbols, rules);
    const revivals = new RevivalBuilder(
      project.checker,
      generator,
      (type, role, holder) => registry.classOf(type, role, { place: file, holder }),
      reporter.relativePath(file.fileName),
    );
    const compiler = new OperationCompiler(project.checker, symbols, generator, reporter, revivals);
    const questions = new QuestionCompiler(project.checker, symbols, generator, revivals).compile(file);
    const schedules = new ScheduleCompiler(project.checker, symbols, reporter).compile(file);
    const compiled: CompiledFile = {
      operations: [],
      classes: {},
      revivals: revivals.shared,
      definitions: revivals.definitions,
      questions,
      schedules,
      diagnostics: [],
    };
    for (const service of services)
      compiled.operations.push(...service.operations.map((site) => compiler.compile(service, site)));
    // An operation takes all problems that were reported before it, so classes come after all of them.
    for (const site of [...services, ...findModuleClasses(file)]) {
      const key = classId(reporter.relativePath(file.fileName), site.name);
      compiled.classes[key] ??= describeClass(site, project, reporter, symbols);
    }
    for (const [key, described] of Object.entries(registry.describe())) {
      compiled.classes[key] = { ...described, ...compiled.classes[key] };
    }
    compiled.diagnostics = reporter.take();
    return compiled;
  }
}
