import type { JsonSchema } from '@toolwright/manifest';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import type { AnyOptionSchema } from '../../base/options/option-schema.js';
import type { Environment } from '../../call/environment.js';
import type { Draft } from '../../call/operation/draft.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import type { Features } from '../../protocol/revisions/features.js';
import type { Report } from '../checks/report.js';
import type { CompletionResolver } from '../drafts/completions.js';
import type { BoundMethod } from '../services/bound-service.js';
import type { Definition } from './definition.js';

/** What the source says about a method, beside its decorator. */
export interface Declared {
  readonly input: JsonSchema;
  readonly output: JsonSchema | undefined;
  /** True for an option whose value is only known at run time. */
  isComputed(option: string): boolean;
}

/** The options of a decorator as its source says them, with what all definitions have. */
export type DeclaredDefinition = Definition & Readonly<Record<string, unknown>>;

/**
 * How a server comes to operations of one kind: from a decorated method, from a definition that is added at run time, or
 * from what a source says; what is checked about them; what clients are told; how they run. To add a kind, see
 * docs/architecture.md.
 */
export interface KindRecord<O extends BoundOperation, D extends object, Options> {
  /** The options of the decorator. */
  readonly options: AnyOptionSchema;
  /** The options of a definition. */
  readonly definitionOptions: AnyOptionSchema;
  draft(source: BoundMethod, record: DecoratorRecord<Options>, resolve: CompletionResolver): Draft<O>;
  define(definition: D): Draft<O>;
  /** Makes a draft of what the source says, without running it. @returns undefined when too much is only known at run time */
  declare(common: DeclaredDefinition, declared: Declared): Draft<O> | undefined;
  /** The changes of a definition that follow from a change. */
  implied?(known: Draft<O>, changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /**
   * Reports what must not be published, or what clients would drop the operation for.
   *
   * @param inputs the schema of the arguments, where the kind does not publish one
   */
  check?(draft: Draft<O>, report: Report, inputs: JsonSchema | undefined): void;
  /** What clients are told of it before they use it. */
  publish(draft: Draft<O>, features: Features): Readonly<Record<string, unknown>>;
  /** @throws {ConfigurationError} when the options of a policy cannot be used */
  plan(draft: Draft<O>, environment: Environment): O;
}
