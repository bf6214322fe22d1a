import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import { count } from '@toolwright/json';
import type { Dependency } from './binding.js';
import { decoratorLocation, provideClass } from './constructor-dependencies.js';
import { type InjectionToken, type Scope, describeToken } from './provider.js';

/** The method that a parameter belongs to, if it is not a constructor's. */
export interface MethodOwner {
  /** `PageTools.find` */
  name: string;
  site: { readonly location: string | undefined } | undefined;
}

/** One step on the way to the token that is being linked. */
export interface DependencyStep {
  token: InjectionToken;
  /** Present when the step is a method and not a token. */
  owner?: MethodOwner;
  /** The place in the parent step that asked for it. */
  where?: string;
  /** True when the parent step is an alias of it. */
  isAliased?: true;
}

const lifetimes: Readonly<Record<Scope, { rank: number; text: string }>> = {
  singleton: { rank: 2, text: 'as long as the server' },
  session: { rank: 1, text: 'as long as a session' },
  request: { rank: 0, text: 'for one call' },
};

/** True if an instance of the first scope is disposed before an instance of the second. */
export function isShorter(one: Scope, other: Scope): boolean {
  return lifetimes[one].rank < lifetimes[other].rank;
}

/** `PageTools needs PageStore as parameter 0 (pages: PageStore), which needs "dsn" as parameter 1` */
function describePath([root, ...steps]: readonly DependencyStep[]): string {
  const words = steps.map(({ token, where, isAliased }) =>
    isAliased ? `is an alias of ${describeToken(token)}` : `needs ${describeToken(token)} as ${where}`,
  );
  return `${root!.owner?.name ?? describeToken(root!.token)} ${words.join(', which ')}`;
}

/** The location of the nearest decorated class on the path. */
function locate(path: readonly DependencyStep[]): { location?: string } {
  const nearest = path.findLast(({ token, owner }) => owner || typeof token === 'function');
  if (nearest?.owner) {
    const location = nearest.owner.site?.location;
    return location ? { location } : {};
  }
  return nearest ? decoratorLocation(nearest.token as AnyClass & InjectionToken) : {};
}

export function missing(path: readonly DependencyStep[]): ConfigurationProblem {
  const { token } = path.at(-1)!;
  const name = describeToken(token);
  return {
    code: 'TW_DEPENDENCY_MISSING',
    message:
      path.length > 1 ? `Nothing provides ${name}: ${describePath(path)}.` : `Nothing provides ${name}.`,
    fix:
      typeof token === 'function'
        ? provideClass(name)
        : `Add { provide: ${name}, … } to the server's providers.`,
    ...locate(path.slice(0, -1)),
  };
}

export function circular(path: readonly DependencyStep[]): ConfigurationProblem {
  const start = path.findIndex(({ token }) => token === path.at(-1)!.token);
  return {
    code: 'TW_DEPENDENCY_CIRCULAR',
    message: `These need each other, so the container can build none of them first: ${describePath(path.slice(start))}.`,
    fix: 'Move the common part into a third class, or pass one of them to the other with a method call after both are built.',
    ...locate(path),
  };
}

export function captured(
  path: readonly DependencyStep[],
  { token, where }: Dependency,
  scopes: { holder: Scope; held: Scope },
): ConfigurationProblem {
  const holder = describeToken(path.at(-1)!.token);
  const held = describeToken(token);
  const way = path.length > 1 ? `: ${describePath(path)}` : '';
  return {
    code: 'TW_DEPENDENCY_CAPTIVE',
    message: `${holder} lives ${lifetimes[scopes.holder].text}. As ${where} it needs ${held}, which lives ${lifetimes[scopes.held].text}${way}.`,
    fix: `Give ${holder} the scope '${scopes.held}' as well, or ${held} the scope '${scopes.holder}'.`,
    ...locate(path),
  };
}

export function contradicted(
  token: InjectionToken,
  scopes: { declared: Scope; given: Scope },
): ConfigurationProblem {
  const name = describeToken(token);
  return {
    code: 'TW_DEPENDENCY_CAPTIVE',
    message: `${name} declares the scope '${scopes.declared}', but its own container gives it the scope '${scopes.given}'.`,
    fix: `Set the scope of ${name} in its container, and remove it from our decorator.`,
    ...locate([{ token }]),
  };
}

export function unmatchedFactory(token: InjectionToken, problem: string): ConfigurationProblem {
  return {
    code: 'TW_DEPENDENCY_FACTORY',
    message: `The factory of ${describeToken(token)} ${problem}.`,
    fix: 'Write one entry in inject for each parameter of useFactory, in the same order.',
  };
}

type Factory = (...dependencies: never[]) => unknown;

/**
 * Says how the parameters of a factory differ from the number of dependencies that its provider lists;
 * undefined if they match. If one of the two lists is wrong, a factory gets `undefined` values.
 */
export function findFactoryProblem(factory: Factory, injected: number): string | undefined {
  const declared = factory.length;
  const isFit = declared === injected || (declared < injected && takesMore(factory));
  if (isFit) return undefined;
  return `has ${count(declared, 'parameter')}, and inject lists ${injected === 0 ? 'nothing' : count(injected, 'dependency', 'dependencies')}`;
}

/**
 * `length` ends at the first default and does not count a rest parameter. Only the source shows whether there
 * is one. If the source is hidden (bound functions), or the function may read `arguments`, further values are
 * accepted.
 */
function takesMore(factory: Factory): boolean {
  const source = Function.prototype.toString.call(factory);
  if (source.includes('[native code]') || /\barguments\b/.test(source)) return true;
  const arrow = source.indexOf('=>');
  const open = source.indexOf('(');
  // `dependency => …` has exactly one parameter.
  if (open < 0 || (arrow >= 0 && arrow < open)) return false;
  return /\.\.\.|=(?!>)/.test(parameterList(source, open));
}

/** The text between a parenthesis and its counterpart. */
function parameterList(source: string, open: number): string {
  let depth = 0;
  for (let index = open; index < source.length; index++) {
    if (source[index] === '(') depth++;
    else if (source[index] === ')' && --depth === 0) return source.slice(open + 1, index);
  }
  return source.slice(open + 1);
}
