import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from '../../call/operation/operation.js';
import type { AnyDraft, Draft } from '../../call/operation/draft.js';
import type { Registry } from '../../call/operation/registry.js';
import type { Principal } from '../../base/request-context.js';
import { OperationCatalogue, type Entry } from './operation-catalogue.js';

/** Makes drafts of each kind ready to run. */
export interface Planner {
  tool(draft: Draft<BoundTool>): BoundTool;
  prompt(draft: Draft<BoundPrompt>): BoundPrompt;
  resource(draft: Draft<BoundResource>): BoundResource;
  resourceTemplate(draft: Draft<BoundResourceTemplate>): BoundResourceTemplate;
  /** True for drafts that may be refused. These are planned at boot. */
  mayFail(draft: AnyDraft): boolean;
}

/** Decides which callers may see an operation. */
export interface Visibility {
  visible(operation: BoundOperation, principal: Principal | undefined): boolean;
  /** True when the answer may differ between callers. */
  dependsOnCaller(operation: BoundOperation): boolean;
}

type Kind = BoundOperation['kind'];
type OfKind<K extends Kind> = Extract<BoundOperation, { kind: K }>;

/** The side of the registry that changes it. */
export class ServerRegistry implements Registry {
  readonly tools: OperationCatalogue<BoundTool>;
  readonly prompts: OperationCatalogue<BoundPrompt>;
  readonly resources: OperationCatalogue<BoundResource>;
  readonly resourceTemplates: OperationCatalogue<BoundResourceTemplate>;
  private readonly byKind: { [K in Kind]: OperationCatalogue<OfKind<K>> };

  constructor(
    planner: Planner,
    private readonly visibility: Visibility,
  ) {
    const { mayFail } = planner;
    this.tools = new OperationCatalogue({ plan: planner.tool, mayFail });
    this.prompts = new OperationCatalogue({ plan: planner.prompt, mayFail });
    this.resources = new OperationCatalogue({ plan: planner.resource, mayFail });
    this.resourceTemplates = new OperationCatalogue({ plan: planner.resourceTemplate, mayFail });
    this.byKind = {
      tool: this.tools,
      prompt: this.prompts,
      resource: this.resources,
      resourceTemplate: this.resourceTemplates,
    };
  }

  visible(operation: BoundOperation, principal: Principal | undefined): boolean {
    return this.visibility.visible(operation, principal);
  }

  get perCaller(): boolean {
    return this.operations().some((operation) => this.visibility.dependsOnCaller(operation));
  }

  operations(): BoundOperation[] {
    return this.catalogues.flatMap((catalogue): BoundOperation[] => [...catalogue.list()]);
  }

  drafts(): AnyDraft[] {
    return this.catalogues.flatMap((catalogue): AnyDraft[] => catalogue.drafts());
  }

  /** The catalogue of a kind. */
  of<K extends Kind>(kind: K): OperationCatalogue<OfKind<K>> {
    return this.byKind[kind];
  }

  /**
   * Does the part of adding a draft that can fail.
   *
   * @throws {ConfigurationError} when no chain can be planned for it
   */
  prepare(draft: Draft<BoundOperation>): Entry<BoundOperation> {
    return this.anyOf(draft.kind).prepare(draft);
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
    this.anyOf(entry.draft.kind).set(entry);
  }

  private anyOf(kind: Kind): OperationCatalogue<BoundOperation> {
    return this.byKind[kind] as unknown as OperationCatalogue<BoundOperation>;
  }

  private get catalogues() {
    return Object.values(this.byKind);
  }
}
