import type { PolicyOrigin } from '../../base/metadata/policy.js';

/**
 * Why a chain has a step: a decorator on the method or the class, a server option, the tool's annotations,
 * its schema, or a default of the server.
 */
export type StepOrigin = PolicyOrigin | 'annotations' | 'schema' | 'default';

/** One step of a chain, as `toolwright explain` shows it. */
export interface StepDescription {
  readonly name: string;
  readonly origin: StepOrigin;
  /** The effective options, in a few words. */
  readonly detail?: string;
}
