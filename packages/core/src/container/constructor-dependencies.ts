import 'reflect-metadata';
import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { problemAt } from '@toolwright/ground/base/metadata/call-site';
import { collectRecords, findRecord } from '@toolwright/ground/base/metadata/class-records';
import { type AnyClass, type DecoratorRecord, ownRecords } from '@toolwright/ground/base/metadata/store';
import type { Dependency } from './binding.js';
import {
  type InjectRecord,
  type InjectionToken,
  type NamedInjectRecord,
  isOptionalToken,
} from './provider.js';

/** What the manifest says about one parameter of a constructor. */
export interface ParameterType {
  name: string;
  /** The declared type as written. */
  type: string;
  /** The class, if the type is one. */
  token?: InjectionToken;
  /** Why there is no token: nothing provides the class, a bundle may not have it, or the type is not a class. */
  lacks?: 'provider' | 'class' | 'kind';
  optional?: boolean;
}

/** The constructor parameters of classes, for builds that emit no decorator metadata. */
export type ConstructorTypes = ReadonlyMap<AnyClass, readonly ParameterType[]>;

/** What TypeScript emits for every type that is not a class: interfaces, unions, primitives. */
const notInjectable = new Set<unknown>([
  Object,
  String,
  Number,
  Boolean,
  Function,
  Array,
  Promise,
  Symbol,
  BigInt,
  Date,
]);

/**
 * What the constructor of a class needs. `@Inject` decides first, then the type that the build emitted
 * (`design:paramtypes`), then the type in the manifest.
 *
 * @param report called for each parameter for which nothing can be found
 */
export function constructorDependencies(
  target: AnyClass,
  types: ConstructorTypes,
  report: (problem: ConfigurationProblem) => void,
): Dependency[] {
  const known = types.get(target);
  // A derived class inherits the emitted types of its base, and may have another constructor.
  const emitted = (
    known
      ? Reflect.getOwnMetadata('design:paramtypes', target)
      : Reflect.getMetadata('design:paramtypes', target)
  ) as readonly unknown[] | undefined;
  reportStray(target, known, report);
  const count = Math.max(target.length, emitted?.length ?? 0, known?.length ?? 0);
  return Array.from({ length: count }, (_, index) => {
    const parameter = known?.[index];
    const inject = injectionOf(target, index, parameter?.name);
    const where = `parameter ${index}${parameter ? ` (${parameter.name}: ${parameter.type})` : ''}`;
    const optional = inject?.optional ?? parameter?.optional ?? false;
    const token = inject ? forwarded(inject.token) : (classOf(emitted?.[index]) ?? parameter?.token);
    if (token !== undefined) return { token, optional, where };
    // `length` does not count a parameter with a default. Its author expects that it may be left out.
    if (!optional && index < target.length)
      report(
        parameter?.lacks === 'provider'
          ? unprovided(target, where, parameter)
          : unresolvable(target, where, causeOf(emitted, index, parameter)),
      );
    return { token: absent, optional: true, where };
  });
}

/**
 * What `@Inject` says about a parameter of the constructor: before the parameter, or on the class.
 *
 * @param name the name of the parameter, if it is known
 */
export function injectionOf(target: AnyClass, index: number, name?: string): InjectRecord | undefined {
  const { constructorParameters, records } = collectRecords(target);
  const own = findRecord<InjectRecord>(constructorParameters.get(index) ?? [], 'inject')?.options;
  return own ?? (name === undefined ? undefined : namedInjection(records, name));
}

/** Reports names in `@Inject({ … })` on a class that are not parameters of its constructor. */
function reportStray(
  target: AnyClass,
  known: readonly ParameterType[] | undefined,
  report: (problem: ConfigurationProblem) => void,
): void {
  const own = ownRecords(target).filter(({ place }) => place.on === 'class');
  const stray = strayInjections(own, known ?? []);
  if (!stray) return;
  report(
    problemAt(stray.record.site, 'TW_DEPENDENCY_UNKNOWN', {
      message: `@Inject on ${target.name} names ${stray.names.join(', ')}, which ${known ? 'is no parameter of its constructor' : 'cannot be found: the manifest has no constructor of this class'}.`,
      fix: known
        ? `Use the names of the parameters: ${known.map(({ name }) => name).join(', ') || 'there are none'}.`
        : 'Run `npx --no toolwright build` again, with the newest version.',
    }),
  );
}

/**
 * A token that nobody provides. A parameter that cannot be resolved depends on it, so that its default
 * applies.
 */
const absent = Symbol('absent');

/**
 * `() => token`, for a class that is declared further down. Arrow functions have no prototype, but classes
 * do.
 */
export function forwarded(token: InjectRecord['token']): InjectionToken {
  return typeof token === 'function' && token.prototype === undefined
    ? (token as () => InjectionToken)()
    : (token as InjectionToken);
}

/** The type that the build emitted, if it is a class. */
export function classOf(type: unknown): InjectionToken | undefined {
  return typeof type === 'function' && !notInjectable.has(type)
    ? (type as InjectionToken & object)
    : undefined;
}

function causeOf(
  emitted: readonly unknown[] | undefined,
  index: number,
  parameter: ParameterType | undefined,
): Cause {
  if (parameter?.lacks === 'class') return ABSENT;
  if (parameter?.lacks === 'kind') return notAClass(parameter);
  if (emitted === undefined) return causes.unemitted;
  return index in emitted && emitted[index] === undefined ? causes.undefined : notAClass();
}

/** What to do about a class that nothing provides. At run time, nothing shows that a class is abstract. */
export const provideClass = (name: string): string =>
  `Add ${name} to the server's providers, or put @Injectable() on it. If it is abstract, or needs settings, add { provide: ${name}, useClass: … } (or useFactory, useValue).`;

/** The class of a type is known, and the bundle that runs does not show it. */
export const ABSENT = {
  cause:
    'the running program does not have its class. Bundlers and compilers leave out imports that are only used as types, and minifiers take names away, without which classes with the same members cannot be told apart',
  fix: "Add the class to the server's providers, or set verbatimModuleSyntax in tsconfig.json, which keeps the import. In a minified bundle, keep names (--keep-names in esbuild, output.keepNames in Rolldown and Vite, keep_classnames in webpack's terser), or give the class @Injectable({ id: '…' }).",
};

/** The manifest knows what the running program does not show: what the type is called. */
const notAClass = ({ name, type }: Partial<ParameterType> = {}): Cause => ({
  cause: `its type${type === undefined ? '' : `, ${type},`} is not a class. Interfaces, aliases and primitive types do not exist at run time, so nothing shows which value is meant`,
  fix: `Write @Inject(token) before the parameter${name === undefined ? '' : `, or @Inject({ ${name}: token }) on the class`}, and add { provide: token, useValue: … } (or useClass, useFactory) to the server's providers. An abstract class in place of an interface is its own token.`,
});

interface Cause {
  readonly cause: string;
  readonly fix: string;
}

/** Why the type of a parameter cannot be used, and what to do about it. */
const causes = {
  undefined: {
    cause: 'its type was undefined when the class was decorated, as happens when modules import each other',
    fix: 'Write @Inject(() => TheClass) before the parameter, or break the import cycle.',
  },
  // Standard decorators do not allow @Inject before a parameter, so classes are found by name among the
  // providers.
  unemitted: {
    cause: 'the class was compiled without the types of its parameters',
    fix: "If its type is a class, add it to the server's providers, or set experimentalDecorators and emitDecoratorMetadata in tsconfig.json. If not, set both, write @Inject(token) before the parameter and provide the token.",
  },
} satisfies Record<string, Cause>;

function unprovided(target: AnyClass, where: string, { type }: ParameterType): ConfigurationProblem {
  return {
    code: 'TW_DEPENDENCY_MISSING',
    message: `Nothing provides ${type}: ${target.name} needs ${type} as ${where}.`,
    fix: provideClass(type),
    ...decoratorLocation(target),
  };
}

function unresolvable(target: AnyClass, where: string, { cause, fix }: Cause): ConfigurationProblem {
  return {
    code: 'TW_DEPENDENCY_UNKNOWN',
    message: `The container cannot know what to inject for ${where} of the constructor of ${target.name}: ${cause}.`,
    fix,
    ...decoratorLocation(target),
  };
}

/** The place where the class was decorated. */
export function decoratorLocation(target: AnyClass): { location?: string } {
  const location = ownRecords(target).find(({ place }) => place.on === 'class')?.site.location;
  return location ? { location } : {};
}

/** What `@Inject({ … })` on a class or a method says about the parameter of this name. */
export function namedInjection(
  records: readonly DecoratorRecord[],
  parameter: string,
): InjectRecord | undefined {
  const tokens = findRecord<NamedInjectRecord>(records, 'injections')?.options.tokens;
  if (!tokens || !Object.hasOwn(tokens, parameter)) return undefined;
  const token = tokens[parameter]!;
  return isOptionalToken(token) ? token : { token };
}

/** The names in an own `@Inject({ … })` that belong to no parameter. */
export function strayInjections(
  records: readonly DecoratorRecord[],
  parameters: readonly { readonly name: string }[],
): { record: DecoratorRecord<NamedInjectRecord>; names: string[] } | undefined {
  const record = findRecord<NamedInjectRecord>(records, 'injections');
  if (!record) return undefined;
  const names = Object.keys(record.options.tokens).filter(
    (name) => !parameters.some((parameter) => parameter.name === name),
  );
  return names.length > 0 ? { record, names } : undefined;
}
