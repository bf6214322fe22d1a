import { cronReader, toolId, type SourceLocation } from '@toolwright/manifest';
import { Cron } from 'croner';
import { ts } from '../generator/tjs-adapter.js';
import { foldWritten } from '../defaults/fold-constant.js';
import type { SchemaDiagnostic } from '../diagnostics/diagnostic.js';
import type { Reporter } from '../diagnostics/reporter.js';
import { type FoundDecorator, type PackageSymbols, findDecorators } from '../discover/package-symbols.js';
import { findClasses } from '../discover/find-services.js';
import { readMethodDocs } from '../docs/read-method-docs.js';
import { readOptions } from '../signature/read-declared.js';

/** When a method runs. Values that are computed at run time are missing. */
export interface WrittenTimes {
  name?: string;
  cron?: string;
  timeZone?: string;
}

/** A method with `@Scheduled` of `@toolwright/schedules`. */
export interface CompiledSchedule extends WrittenTimes {
  /** `<source path>#<Class>.<method>`, of the class that declares the method. */
  key: string;
  description?: string;
  location: SourceLocation;
  diagnostics: SchemaDiagnostic[];
}

const readCron = cronReader(Cron);

function isScheduled({ name, package: owner }: FoundDecorator): boolean {
  return name === 'Scheduled' && owner === '@toolwright/schedules';
}

/** Reads what the sources say about schedules, and checks the times. The server takes them from the decorators. */
export class ScheduleCompiler {
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly symbols: PackageSymbols,
    private readonly reporter: Reporter,
  ) {}

  /** Every scheduled method that a class of the file declares, in source order. */
  compile(file: ts.SourceFile): CompiledSchedule[] {
    return findClasses(file).flatMap(({ declaration, name }) =>
      declaration.members.flatMap((member) => {
        const decorator = findDecorators(member, this.symbols).find(isScheduled);
        return decorator ? [this.compileMethod(name, member, decorator)] : [];
      }),
    );
  }

  private compileMethod(
    className: string,
    member: ts.ClassElement,
    decorator: FoundDecorator,
  ): CompiledSchedule {
    const { checker, reporter } = this;
    const method = member.name?.getText() ?? '';
    const isStatic = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
    const file = reporter.relativePath(member.getSourceFile().fileName);
    const symbol = member.name && checker.getSymbolAtLocation(member.name);
    const { description } = symbol ? readMethodDocs(symbol, checker) : {};
    const times = this.timesOf(decorator, `${className}.${method}`);
    const { name = method, cron = '@daily', timeZone = 'UTC' } = times;
    const read = readCron(cron, timeZone);
    if ('problem' in read) reporter.report('TW_SCHEMA_SCHEDULE', `${name}: ${read.problem}.`, decorator.node);
    return {
      key: toolId({ file, className, method, static: isStatic }),
      ...times,
      ...(description !== undefined && { description }),
      location: reporter.locate(decorator.node),
      diagnostics: reporter.take(),
    };
  }

  private timesOf({ arguments: [expression, written] }: FoundDecorator, label: string): WrittenTimes {
    const cron = expression && foldWritten(expression, this.checker)?.value;
    const { options, computed } = readOptions(written, this.checker);
    const { name = label, timeZone = 'UTC' } = options;
    const isKnown = (option: string) => computed !== 'any' && !computed.includes(option);
    return {
      ...(typeof cron === 'string' && { cron }),
      ...(isKnown('name') && typeof name === 'string' && { name }),
      ...(isKnown('timeZone') && typeof timeZone === 'string' && { timeZone }),
    };
  }
}
