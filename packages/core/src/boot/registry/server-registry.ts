import {
  type KindCollections,
  type OperationKind,
  kindNames,
  operationKinds,
} from '@toolwright/ground/base/operation-kinds';
import type { Principal } from '@toolwright/ground/base/request-context';
import type { Environment } from '@toolwright/ground/call/environment';
import { type AnyDraft, type Draft, locationOf } from '@toolwright/ground/call/operation/draft';
import type { BoundOperation, OfKind } from '@toolwright/ground/call/operation/operation';
import type { MayRead, Registry } from '@toolwright/ground/call/operation/registry';
import { RequireScopes } from '../../policies/authorize.js';
import { dependsOnCaller, guardsOf, isListed, isVisible } from '../../policies/guards.js';
import { type CatalogueEntry, OperationCatalogue, type PlanDraft } from './operation-catalogue.js';

/** The scopes that callers of the operation need. */
const scopesOf = (draft: AnyDraft): readonly string[] => RequireScopes.of(draft)?.options.scopes ?? [];

type AnyCatalogue = OperationCatalogue<BoundOperation>;
type OpenCatalogues = { readonly [K in OperationKind as KindCollections[K]]: OperationCatalogue<OfKind<K>> };

/** The side of the registry that changes it. It has a catalogue for each kind: `tools`, `prompts` and so on. */
export type ServerRegistry = OperationRegistry & OpenCatalogues & Registry;

export function createRegistry(environment: Environment, plan: PlanDraft): ServerRegistry {
  const registry = new OperationRegistry(environment, plan);
  const named = kindNames.map((kind) => [operationKinds[kind].collection, registry.of(kind)]);
  return Object.assign(registry, Object.fromEntries(named) as OpenCatalogues);
}

class OperationRegistry {
  private readonly byKind: Readonly<Record<OperationKind, AnyCatalogue>>;
  private knownPerCaller: { readonly parts: readonly unknown[]; readonly answer: boolean } | undefined;

  constructor(
    private readonly environment: Environment,
    plan: PlanDraft,
  ) {
    const catalogues = kindNames.map((kind) => [kind, new OperationCatalogue(environment, plan)]);
    this.byKind = Object.fromEntries(catalogues) as Record<OperationKind, AnyCatalogue>;
  }

  // Lists show what a caller may call, because both use the same checks, and what is locked for it.
  visible(operation: BoundOperation, principal: Principal | undefined): boolean {
    return isVisible(operation, principal, this.environment);
  }

  listed(...[operation, principal, answers]: Parameters<Registry['listed']>): boolean {
    return isListed(operation, principal, this.environment, answers);
  }

  readonly mayRead: MayRead = (principal, resource, ...place) =>
    isVisible(resource, principal, this.environment, place);

  /** Every page of a list asks it, so it is found out once: until an operation or a guard comes or goes. */
  get perCaller(): boolean {
    const { environment } = this;
    // There is another array after guards were added.
    const parts = [guardsOf(environment), ...this.catalogues.map((catalogue) => catalogue.list())];
    const known = this.knownPerCaller;
    if (known && parts.every((part, index) => part === known.parts[index])) return known.answer;
    const answer = this.operations().some((operation) => dependsOnCaller(operation, environment));
    this.knownPerCaller = { parts, answer };
    return answer;
  }

  operations(): BoundOperation[] {
    return this.catalogues.flatMap((catalogue) => catalogue.list());
  }

  drafts(): AnyDraft[] {
    return this.catalogues.flatMap((catalogue) => catalogue.drafts() as AnyDraft[]);
  }

  isEmpty(): boolean {
    return this.drafts().length === 0;
  }

  /**
   * What to say of operations that nobody can use, because they need scopes and a transport knows no callers; `undefined` if
   * there are none.
   */
  describeUnusable(): { message: string; location?: string } | undefined {
    const needing = this.drafts().filter((draft) => draft.policies.size > 0 && scopesOf(draft).length > 0);
    const [first] = needing;
    if (!first) return undefined;
    const scopes = scopesOf(first);
    const who = `Nobody can use the ${first.kind} "${first.name}"`;
    const others = needing.length - 1;
    const why =
      others === 0 ? `it needs the scope ${scopes.join(' and ')}` : `they need scopes such as ${scopes[0]}`;
    const rest = others === 0 ? '' : ` and ${others} other operation${others === 1 ? '' : 's'}`;
    const message = `${who}${rest}: ${why}, and nothing says who calls.`;
    return { message, ...locationOf(first) };
  }

  /** The catalogue of a kind. */
  of<K extends OperationKind>(kind: K): OperationCatalogue<OfKind<K>> {
    return this.byKind[kind] as unknown as OperationCatalogue<OfKind<K>>;
  }

  /**
   * Does the part of adding a draft that can fail.
   *
   * @throws {ConfigurationError} when no chain can be planned for it
   */
  prepare(draft: Draft<BoundOperation>): CatalogueEntry<BoundOperation> {
    return this.byKind[draft.kind].prepare(draft);
  }

  /**
   * Plans every chain again after the middleware has changed. If one of them cannot be planned, no chain
   * changes.
   */
  replan(): void {
    for (const put of this.catalogues.map((catalogue) => catalogue.replan())) put();
  }

  /** Adds an entry that `prepare` returned. */
  add(entry: CatalogueEntry<BoundOperation>): void {
    this.byKind[entry.draft.kind].set(entry);
  }

  private get catalogues() {
    return Object.values(this.byKind);
  }
}
