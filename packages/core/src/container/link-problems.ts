import type { ConfigurationProblem } from '../base/errors/configuration-error.js';
import type { AnyClass } from '../base/metadata/store.js';
import type { Dependency } from './binding.js';
import { decoratorLocation } from './constructor-dependencies.js';
import type { Scope } from './provider.js';
import { describeToken, type InjectionToken } from './token.js';

/** The method that a parameter belongs to, if it is not a constructor's. */
export interface MethodOwner {
  /** `PageTools.find` */
  name: string;
  site: { readonly location: string | undefined } | undefined;
}

/** One step on the way to the token that is being linked. */
export interface Step {
  token: InjectionToken;
  /** Present when the step stands for a method and not for a token. */
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
function describePath([root, ...steps]: readonly Step[]): string {
  const words = steps.map(({ token, where, isAliased }) =>
    isAliased ? `is an alias of ${describeToken(token)}` : `needs ${describeToken(token)} as ${where}`,
  );
  return `${root!.owner?.name ?? describeToken(root!.token)} ${words.join(', which ')}`;
}

/** The location of the nearest decorated class on the path. */
function locate(path: readonly Step[]): { location?: string } {
  const nearest = path.findLast(({ token, owner }) => owner || typeof token === 'function');
  if (nearest?.owner) {
    const location = nearest.owner.site?.location;
    return location ? { location } : {};
  }
  return nearest ? decoratorLocation(nearest.token as AnyClass & InjectionToken) : {};
}

export function missing(path: readonly Step[]): ConfigurationProblem {
  const { token } = path.at(-1)!;
  const name = describeToken(token);
  return {
    code: 'TW_DEPENDENCY_MISSING',
    message:
      path.length > 1 ? `Nothing provides ${name}: ${describePath(path)}.` : `Nothing provides ${name}.`,
    fix:
      typeof token === 'function'
        ? // At run time, nothing shows that a class is abstract.
          `If ${name} can be built as it is, put @Injectable() on it; if it is abstract, or needs settings, add { provide: ${name}, useClass: … } (or useFactory, useValue) to the server's providers.`
        : `Add { provide: ${name}, … } to the server's providers.`,
    ...locate(path.slice(0, -1)),
  };
}

export function circular(path: readonly Step[]): ConfigurationProblem {
  const start = path.findIndex(({ token }) => token === path.at(-1)!.token);
  return {
    code: 'TW_DEPENDENCY_CIRCULAR',
    message: `These need each other, so the container can build none of them first: ${describePath(path.slice(start))}.`,
    fix: 'Move the common part into a third class, or pass one of them to the other with a method call after both are built.',
    ...locate(path),
  };
}

export function captured(
  path: readonly Step[],
  { token, where }: Dependency,
  scopes: { holder: Scope; held: Scope },
): ConfigurationProblem {
  const holder = describeToken(path.at(-1)!.token);
  const held = describeToken(token);
  return {
    code: 'TW_DEPENDENCY_CAPTIVE',
    message: `${holder} lives ${lifetimes[scopes.holder].text}. As ${where} it needs ${held}, which lives ${lifetimes[scopes.held].text}: ${describePath(path)}.`,
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

export function unmatchedFactory(token: InjectionToken, fault: string): ConfigurationProblem {
  return {
    code: 'TW_DEPENDENCY_FACTORY',
    message: `The factory of ${describeToken(token)} ${fault}.`,
    fix: 'Write one entry in inject for each parameter of useFactory, in the same order.',
  };
}
