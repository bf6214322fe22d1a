import type { PolicyEntry } from '../../base/metadata/policy.js';
import type { OptionSchema } from '../../base/options/option-schema.js';
import { anyObject, anything, callback, recordOf, required } from '../../base/options/rules.js';
import type { Icon } from '../../base/content/content.js';
import type { ToolContext } from '../../call/context/tool-context.js';
import type { Target } from '../../call/operation/draft.js';

/** What the definitions of all kinds have beside the options of their decorators. */
export interface Handled {
  /**
   * The same as `meta`. It lets you pass on a definition in the form in which another server publishes it.
   */
  _meta?: Record<string, unknown>;
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
  policies?: Iterable<readonly [name: string, entry: PolicyEntry]>;
}

export const handled = {
  handler: required(callback),
  policies: {
    expected: 'a list of entries that policies make',
    accepts: (value: unknown) => value != null && Symbol.iterator in Object(value),
  },
  _meta: anyObject,
} satisfies OptionSchema<Handled>;

export const complete = recordOf('functions by name', callback);

/** A name that cannot be published is reported later, together with other problems of what is published. */
export const name = { ...anything, required: true } as const;

/** What the definitions of all kinds have. */
export interface Definition extends Handled {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  meta?: Record<string, unknown>;
}

/** The fields that the drafts of all kinds have. */
export function definitionBase(definition: Definition) {
  const { name, title, description, icons, meta = definition._meta, policies = [] } = definition;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons && { icons }),
    ...(meta && { meta }),
    policies: new Map(policies),
    target: {
      method: definition.handler,
      instance: () => definition,
    } satisfies Target,
  };
}
