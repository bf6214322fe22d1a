import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from './operation.js';

/** Operations of one kind, in the order they were declared. Read side: the protocol looks up and lists. */
export interface Catalogue<O extends BoundOperation> {
  get(name: string): O | undefined;
  /** Same array until the next change, so that it can key a cache. */
  list(): readonly O[];
}

/** Every operation the server offers. */
export interface Registry {
  readonly tools: Catalogue<BoundTool>;
  readonly prompts: Catalogue<BoundPrompt>;
  /** By URI. */
  readonly resources: Catalogue<BoundResource>;
  /** By URI template. */
  readonly resourceTemplates: Catalogue<BoundResourceTemplate>;
  /** True when the caller may see and use the operation: the predicate that also guards the call. */
  visible(
    operation: BoundOperation,
    principal: import('../../base/request-context.js').Principal | undefined,
  ): boolean;
  /** True when some operation's visibility depends on the caller: lists are then private to a cache. */
  readonly perCaller: boolean;
}
