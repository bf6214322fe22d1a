import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from './operation.js';

/**
 * The operations of one kind, in the order in which they were declared. The protocol reads them from here.
 */
export interface Catalogue<O extends BoundOperation> {
  get(name: string): O | undefined;
  /** Returns the same array until the next change, so that the array can be the key of a cache. */
  list(): readonly O[];
}

/** Every operation that the server offers. */
export interface Registry {
  readonly tools: Catalogue<BoundTool>;
  readonly prompts: Catalogue<BoundPrompt>;
  /** The resources, by URI. */
  readonly resources: Catalogue<BoundResource>;
  /** The resource templates, by URI template. */
  readonly resourceTemplates: Catalogue<BoundResourceTemplate>;
  /** True when the caller may see and use the operation. The same check guards the call. */
  visible(
    operation: BoundOperation,
    principal: import('../../base/request-context.js').Principal | undefined,
  ): boolean;
  /**
   * True when the visibility of some operation depends on the caller. Caches must then treat lists as
   * private.
   */
  readonly perCaller: boolean;
}
