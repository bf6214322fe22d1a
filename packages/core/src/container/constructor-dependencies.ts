import 'reflect-metadata';
import type { InjectRecord } from './inject-record.js';
import type { ConfigurationProblem } from '../base/errors/configuration-error.js';
import { collectRecords, findRecord } from '../base/metadata/class-records.js';
import { ownRecords, type AnyClass } from '../base/metadata/store.js';
import type { Dependency } from './binding.js';
import type { InjectionToken } from './token.js';

/** What the manifest says about one parameter of a constructor. */
export interface ParameterType {
  name: string;
  /** The declared type as written. */
  type: string;
  /** The class, if the type is one. */
  token?: InjectionToken;
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
  const emitted = Reflect.getMetadata('design:paramtypes', target) as readonly unknown[] | undefined;
  const known = types.get(target);
  const records = collectRecords(target).constructorParameters;
  const count = Math.max(target.length, emitted?.length ?? 0, known?.length ?? 0);
  return Array.from({ length: count }, (_, index) => {
    const parameter = known?.[index];
    const inject = findRecord<InjectRecord>(records.get(index) ?? [], 'inject')?.options;
    const where = `parameter ${index}${parameter ? ` (${parameter.name}: ${parameter.type})` : ''}`;
    const optional = inject?.optional ?? parameter?.optional ?? false;
    const token = inject ? forwarded(inject.token) : (classOf(emitted?.[index]) ?? parameter?.token);
    if (token !== undefined) return { token, optional, where };
    // `length` does not count a parameter with a default. Its author expects that it may be left out.
    if (!optional && index < target.length)
      report(
        unresolvable(
          target,
          where,
          emitted === undefined
            ? 'unemitted'
            : index in emitted && emitted[index] === undefined
              ? 'undefined'
              : 'no class',
        ),
      );
    return { token: absent, optional: true, where };
  });
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
  'no class': {
    cause: 'its type is not a class that exists at run time',
    fix: 'Write @Inject(token) before the parameter and provide the token.',
  },
};

function unresolvable(target: AnyClass, where: string, why: keyof typeof causes): ConfigurationProblem {
  const { cause, fix } = causes[why];
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
