import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from '../pipeline/operation.js';
import type { Draft } from '../pipeline/draft.js';
import type { Registry } from '../pipeline/registry.js';
import type { Principal } from '../messages/request-context.js';
import { OpenCatalogue } from './open-catalogue.js';

/** How drafts of each kind become ready to run. */
export interface Planner {
  tool(draft: Draft<BoundTool>): BoundTool;
  prompt(draft: Draft<BoundPrompt>): BoundPrompt;
  resource(draft: Draft<BoundResource>): BoundResource;
  resourceTemplate(draft: Draft<BoundResourceTemplate>): BoundResourceTemplate;
}

/** Who may see what. */
export interface Visibility {
  visible(operation: BoundOperation, principal: Principal | undefined): boolean;
  /** True when the answer can differ between callers. */
  dependsOnCaller(operation: BoundOperation): boolean;
}

type Kind = BoundOperation['kind'];
type OfKind<K extends Kind> = Extract<BoundOperation, { kind: K }>;

/** The write side of the registry. */
export class OpenRegistry implements Registry {
  readonly tools: OpenCatalogue<BoundTool>;
  readonly prompts: OpenCatalogue<BoundPrompt>;
  readonly resources: OpenCatalogue<BoundResource>;
  readonly resourceTemplates: OpenCatalogue<BoundResourceTemplate>;
  private readonly byKind: { [K in Kind]: OpenCatalogue<OfKind<K>> };

  constructor(
    planner: Planner,
    private readonly visibility: Visibility,
  ) {
    this.tools = new OpenCatalogue(
      ({ name }) => name,
      (draft) => planner.tool(draft),
    );
    this.prompts = new OpenCatalogue(
      ({ name }) => name,
      (draft) => planner.prompt(draft),
    );
    this.resources = new OpenCatalogue(
      ({ uri }) => uri,
      (draft) => planner.resource(draft),
    );
    this.resourceTemplates = new OpenCatalogue(
      ({ uriTemplate }) => uriTemplate,
      (draft) => planner.resourceTemplate(draft),
    );
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
    return [this.tools, this.prompts, this.resources, this.resourceTemplates].flatMap(
      (catalogue): BoundOperation[] => [...catalogue.list()],
    );
  }

  /** The catalogue of a kind. */
  of<K extends Kind>(kind: K): OpenCatalogue<OfKind<K>> {
    return this.byKind[kind];
  }

  /**
   * Makes a draft ready; the function that comes back adds it.
   *
   * @throws {ConfigurationError} when no chain can be planned for it
   */
  prepare(draft: Draft<BoundOperation>): () => void {
    const catalogue = this.of(draft.kind) as unknown as OpenCatalogue<BoundOperation>;
    const operation = catalogue.prepare(draft);
    return () => void catalogue.set(draft, operation);
  }
}
