import type { JsonSchema } from '@toolwright/json';
import type { Icon } from '../../base/content.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import type { AnyOptionSchema, OptionSchema } from '../../base/options/option-schema.js';
import { jsonObject, anything, callback, recordOf, required } from '../../base/options/rules.js';
import type { ToolContext } from '../../call/context/tool-context.js';
import type { Environment } from '../../call/environment.js';
import type { Draft, Target } from '../../call/operation/draft.js';
import type { Audience, BoundOperation } from '../../call/operation/operation.js';
import { type PolicyEntries, addPolicies, policyEntries } from '../../policies/change-policies.js';
import type { Features } from '../../wire/revision-record.js';
import type { Report } from './draft-base.js';
import type { BoundMethod } from '../services/bound-service.js';
import type { CompletionResolver } from './completions.js';

/** What the source says about a method, beside its decorator. */
interface Declared {
  readonly input: JsonSchema;
  readonly output: JsonSchema | undefined;
  /** True for an option whose value is only known at run time. */
  isComputed(option: string): boolean;
}

/** The options of a decorator as its source says them, with what all definitions have. */
type DeclaredDefinition = OperationDefinition & Readonly<Record<string, unknown>>;

/**
 * How a server comes to operations of one kind: from a decorated method, from a definition that is added at run time,
 * or from what a source says; what is checked about them; what lists show; how they run. To add a kind, see
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
  /** What lists show of it before clients use it. */
  publish(draft: Draft<O>, features: Features): Readonly<Record<string, unknown>>;
  /** @throws {ConfigurationError} when the options of a policy cannot be used */
  plan(draft: Draft<O>, environment: Environment): O;
}

/** What the definitions of all kinds have beside the options of their decorators. */
export interface Handled {
  /**
   * The same as `meta`. It lets you pass on a definition in the form in which another server publishes it.
   */
  _meta?: Record<string, unknown>;
  /**
   * Who the operation is for: callers for whom it returns `true` see and may use it, for others it does not exist. So two
   * tenants may have operations with one name, as long as no caller is meant by both. Default: everybody.
   *
   * @example
   * for: (principal) => principal?.tenant === 'acme'
   */
  for?: Audience;
  /**
   * Gets the validated arguments. It returns what a decorated method would return, or the protocol's own
   * result. You can return the answer of another server unchanged.
   */
  handler(args: Record<string, unknown>, context: ToolContext): unknown;
  /**
   * The policies that decorators would set.
   *
   * @example
   * policies: [RateLimit.entry({ points: 10, per: '1m' })]
   */
  policies?: PolicyEntries;
}

export const handled = {
  handler: required(callback),
  for: callback,
  policies: policyEntries,
  _meta: jsonObject,
} satisfies OptionSchema<Handled>;

export const complete = recordOf('functions by name', callback);

/** A name that cannot be published is reported later, together with other problems of what is published. */
export const name = { ...anything, required: true } as const;

/** What the definitions of all kinds have. */
export interface OperationDefinition extends Handled {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  meta?: Record<string, unknown>;
}

/** The fields that the drafts of all kinds have. */
export function definitionBase(definition: OperationDefinition) {
  const { name, title, description, icons, meta = definition._meta, policies = [] } = definition;
  // A definition that is changed is made of a draft, where the audience has its other name.
  const { for: audience = (definition as { audience?: Audience }).audience } = definition;
  return {
    name,
    ...(audience && { audience }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons && { icons }),
    ...(meta && { meta }),
    policies: addPolicies(new Map(), policies),
    target: {
      method: definition.handler,
      instance: () => definition,
    } satisfies Target,
  };
}
