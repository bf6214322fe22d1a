import {
  kindNames,
  operationKinds,
  type KindCollections,
  type OperationKind,
} from '../../base/operation-kinds.js';
import type { Principal } from '../../base/request-context.js';
import type { MayRead } from '../../call/call-options.js';
import type { AnyDraft, Draft } from '../../call/operation/draft.js';
import type { BoundOperation, OfKind } from '../../call/operation/operation.js';
import type { Registry } from '../../call/operation/registry.js';
import { OperationCatalogue, type Entry } from './operation-catalogue.js';

/** Makes drafts ready to run. */
export interface Planner {
  plan(draft: Draft<BoundOperation>): BoundOperation;
  /** True for drafts that may be refused. These are planned at boot. */
  mayFail(draft: Draft<BoundOperation>): boolean;
}

/** Decides which callers may see an operation. */
export interface Visibility {
  visible(operation: BoundOperation, principal: Principal | undefined): boolean;
  readonly mayRead: MayRead;
  /** True when the answer may differ between callers. */
  dependsOnCaller(operation: BoundOperation): boolean;
}

type AnyCatalogue = OperationCatalogue<BoundOperation>;
type OpenCatalogues = { readonly [K in OperationKind as KindCollections[K]]: OperationCatalogue<OfKind<K>> };

/** The side of the registry that changes it. It has a catalogue for each kind: `tools`, `prompts` and so on. */
export type ServerRegistry = OperationRegistry & OpenCatalogues & Registry;

export function createRegistry(planner: Planner, visibility: Visibility): ServerRegistry {
  const registry = new OperationRegistry(planner, visibility);
  const named = kindNames.map((kind) => [operationKinds[kind].collection, registry.of(kind)]);
  return Object.assign(registry, Object.fromEntries(named) as OpenCatalogues);
}

class OperationRegistry {
  private readonly byKind: Readonly<Record<OperationKind, AnyCatalogue>>;

  constructor(
    planner: Planner,
    private readonly visibility: Visibility,
  ) {
    const catalogues = kindNames.map((kind) => [kind, new OperationCatalogue(planner)]);
    this.byKind = Object.fromEntries(catalogues) as Record<OperationKind, AnyCatalogue>;
  }

  visible(operation: BoundOperation, principal: Principal | undefined): boolean {
    return this.visibility.visible(operation, principal);
  }

  get mayRead(): MayRead {
    return this.visibility.mayRead;
  }

  get perCaller(): boolean {
    return this.operations().some((operation) => this.visibility.dependsOnCaller(operation));
  }

  operations(): BoundOperation[] {
    return this.catalogues.flatMap((catalogue) => catalogue.list());
  }

  drafts(): AnyDraft[] {
    return this.catalogues.flatMap((catalogue) => catalogue.drafts() as AnyDraft[]);
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
  prepare(draft: Draft<BoundOperation>): Entry<BoundOperation> {
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
  add(entry: Entry<BoundOperation>): void {
    this.byKind[entry.draft.kind].set(entry);
  }

  private get catalogues() {
    return Object.values(this.byKind);
  }
}
