import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import {
  collectRecords,
  findRecord,
  findRecordProblems,
} from '@toolwright/ground/base/metadata/class-records';
import type { AnyClass, DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import type { CallSource, AroundMethod } from '@toolwright/ground/call/operation/draft';
import type { Binding, Dependency, Node } from './binding.js';
import { constructorDependencies, type ConstructorTypes } from './constructor-dependencies.js';
import {
  type AliasProvider,
  type DecoratedMember,
  type ExternalResolver,
  type InjectionToken,
  type OptionalToken,
  type Provider,
  type Scope,
  isOptionalToken,
} from './provider.js';
import {
  type MethodOwner,
  type DependencyStep,
  captured,
  circular,
  contradicted,
  findFactoryProblem,
  isShorter,
  missing,
  unmatchedFactory,
} from './link-problems.js';

/**
 * Accepts providers, and links what is asked for with everything that it needs. It builds nothing. It
 * collects every problem, so that all are reported together.
 */
export class Container {
  private readonly problems: ConfigurationProblem[] = [];
  private readonly bindings = new Map<InjectionToken, Binding | AliasProvider>();
  private readonly nodes = new Map<InjectionToken, Node>();
  /** The tokens whose problems were already reported. They are not reported again for other users. */
  private readonly broken = new Set<InjectionToken>();

  constructor(
    private readonly types: ConstructorTypes,
    private readonly resolver?: ExternalResolver,
  ) {}

  /** Adds a provider. It replaces earlier ones of the same token. */
  provide(provider: Provider): void {
    const token = typeof provider === 'function' ? provider : provider.provide;
    this.bindings.set(token, this.bindingFor(provider));
  }

  /** Adds a binding that no kind of provider can express. */
  bind(binding: Binding): void {
    this.bindings.set(binding.token, binding);
  }

  tokens(): Iterable<InjectionToken> {
    return this.bindings.keys();
  }

  /** The classes that are tokens, and the classes that the container builds. */
  classes(): ReadonlySet<AnyClass> {
    const found = new Set<AnyClass>();
    for (const [token, binding] of this.bindings) {
      if (typeof token === 'function') found.add(token);
      if ('target' in binding && binding.target) found.add(binding.target);
    }
    return found;
  }

  /** The class that is built for a token, or else the tokens that its provider asks for. Links nothing. */
  wants(token: InjectionToken): { target?: AnyClass; tokens: readonly InjectionToken[] } {
    const binding = this.find(token);
    if (!binding) return { tokens: [] };
    if ('useExisting' in binding) return { tokens: [binding.useExisting] };
    if (binding.target) return { target: binding.target, tokens: [] };
    return { tokens: binding.dependencies.map((dependency) => dependency.token) };
  }

  /**
   * Finds everything that `token` needs. Returns `undefined` when something is wrong; `takeProblems` then
   * says what.
   */
  link(token: InjectionToken): Node | undefined {
    return this.visit({ token }, []);
  }

  /**
   * The same for a parameter of a method. Also returns `undefined` for an optional parameter that nothing
   * provides.
   */
  linkParameter({ token, optional, where }: Dependency, owner: MethodOwner): Node | undefined {
    if (optional && !this.find(token)) return undefined;
    return this.visit({ token, where }, [{ token: Symbol(owner.name), owner }]);
  }

  /**
   * True when something provides the token: a provider, a decorator on the class, or a resolver that knows
   * it.
   */
  provides(token: InjectionToken): boolean {
    if (this.bindings.has(token)) return true;
    if (typeof token === 'function' && declaredScope(token) !== undefined) return true;
    return this.resolver?.has?.(token) === true;
  }

  /** What another container runs around each call of a method. */
  around(method: DecoratedMember): AroundMethod | undefined {
    return this.resolver?.around?.(method);
  }

  /** All problems since the last call of this method. */
  takeProblems(): ConfigurationProblem[] {
    this.broken.clear();
    return this.problems.splice(0);
  }

  private visit(step: DependencyStep, path: readonly DependencyStep[]): Node | undefined {
    const known = this.nodes.get(step.token);
    if (known || this.broken.has(step.token)) return known;
    const node = this.resolve([...path, step]);
    if (node) this.nodes.set(step.token, node);
    else this.broken.add(step.token);
    return node;
  }

  /** @param path from what was asked for to the token that is to be resolved */
  private resolve(path: readonly DependencyStep[]): Node | undefined {
    const { token } = path.at(-1)!;
    if (path.findIndex((step) => step.token === token) < path.length - 1) return this.fail(circular(path));
    const binding = this.find(token);
    if (!binding) return this.fail(missing(path));
    return 'useExisting' in binding
      ? this.visit({ token: binding.useExisting, isAliased: true }, path)
      : this.linkDependencies(binding, path);
  }

  private linkDependencies(binding: Binding, path: readonly DependencyStep[]): Node | undefined {
    const before = this.problems.length;
    let complete = true;
    const wanted = binding.dependencies;
    const dependencies = wanted.map(({ token, optional, where }) => {
      if (optional && !this.find(token)) return undefined;
      const node = this.visit({ token, where }, path);
      complete &&= node !== undefined;
      return node;
    });
    const captive = dependencies.findIndex((node) => node && isShorter(node.binding.scope, binding.scope));
    if (captive >= 0) {
      const held = dependencies[captive]!.binding.scope;
      this.fail(captured(path, wanted[captive]!, { holder: binding.scope, held }));
    }
    return complete && this.problems.length === before ? { binding, dependencies } : undefined;
  }

  private find(token: InjectionToken): Binding | AliasProvider | undefined {
    const bound = this.bindings.get(token);
    if (bound) return bound;
    const implicit = this.resolver ? this.external(token, this.resolver) : this.selfProvided(token);
    if (implicit) this.bindings.set(token, implicit);
    return implicit;
  }

  /** Classes that carry one of our decorators need no provider. */
  private selfProvided(token: InjectionToken): Binding | undefined {
    return typeof token === 'function' && declaredScope(token) ? this.classBinding(token, token) : undefined;
  }

  private external(token: InjectionToken, resolver: ExternalResolver): Binding | undefined {
    if (resolver.has?.(token) === false) return undefined;
    // What the author wrote.
    const record = typeof token === 'function' ? scopedRecord(collectRecords(token).records) : undefined;
    const declared = record?.options.scope;
    const given = resolver.scope?.(token);
    if (declared && given && declared !== given) this.fail(contradicted(token, { declared, given }));
    const scope = given ?? declared ?? 'singleton';
    const create = (_: unknown, call?: CallSource) => resolver.resolve(token, call);
    return { token, scope, dependencies: [], owned: false, create };
  }

  private bindingFor(provider: Provider): Binding | AliasProvider {
    if (typeof provider === 'function') return this.classBinding(provider, provider);
    const { provide: token } = provider;
    if ('useExisting' in provider) return provider;
    if ('useClass' in provider) return this.classBinding(token, provider.useClass, provider.scope);
    if ('useFactory' in provider) {
      const { useFactory, inject = [], scope = 'singleton' } = provider;
      const problem = findFactoryProblem(useFactory, inject.length);
      if (problem) this.fail(unmatchedFactory(token, problem));
      const create = (dependencies: readonly unknown[]) => useFactory(...(dependencies as never[]));
      return { token, scope, dependencies: inject.map(factoryDependency), owned: true, create };
    }
    return { token, scope: 'singleton', dependencies: [], owned: false, create: () => provider.useValue };
  }

  private classBinding(token: InjectionToken, target: AnyClass, scope?: Scope): Binding {
    const { types } = this;
    const report = (problem: ConfigurationProblem) => this.fail(problem);
    return {
      token,
      scope: scope ?? declaredScope(target) ?? 'singleton',
      get dependencies() {
        // This is checked when the class is first linked: a provider that was replaced later must not be
        // reported.
        findRecordProblems(collectRecords(target)).forEach(report);
        return constructorDependencies(target, types, report);
      },
      target,
      owned: true,
      create: (built) => Reflect.construct(target, built) as object,
    };
  }

  private fail(problem: ConfigurationProblem): undefined {
    this.problems.push(problem);
  }
}

/**
 * The scope that a class declares; `undefined` for a class that is neither injectable nor a service. A class
 * with a decorated method is a service, too.
 */
export function declaredScope(target: AnyClass): Scope | undefined {
  const { records, methods } = collectRecords(target);
  const record = scopedRecord(records);
  if (!record) return records.length > 0 || methods.length > 0 ? 'singleton' : undefined;
  return record.options.scope ?? 'singleton';
}

function scopedRecord(records: readonly DecoratorRecord[]): DecoratorRecord<{ scope?: Scope }> | undefined {
  return findRecord(records, 'service') ?? findRecord(records, 'injectable');
}

function factoryDependency(wanted: InjectionToken | OptionalToken, index: number): Dependency {
  const where = `inject[${index}] of its factory`;
  return isOptionalToken(wanted)
    ? { token: wanted.token, optional: wanted.optional, where }
    : { token: wanted, optional: false, where };
}
