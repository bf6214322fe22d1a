import type { OptionSchema } from '../../base/options/option-schema.js';
import { either, group, listOf, oneOf, required } from '../../base/options/rules.js';

/** Parts of the strict posture, in the order that docs/security.md explains them in. */
export const securityParts = ['principals', 'annotations', 'scopes', 'audit', 'hidden', 'output'] as const;

/**
 * - `principals`: anonymous callers are refused
 * - `annotations`: every tool says whether it only reads, or destroys
 * - `scopes`: every tool, prompt, resource and template says which scopes it needs
 * - `audit`: every call of these is recorded
 * - `hidden`: hidden characters in text are dropped
 * - `output`: what a tool does not declare does not leave
 */
export type SecurityPart = (typeof securityParts)[number];

/** The strict posture, less the parts that `relax` names. */
export interface SecurityOptions {
  mode: 'strict';
  relax?: readonly SecurityPart[];
}

const securityOptions = {
  mode: required(oneOf('strict')),
  relax: listOf(`a list of ${securityParts.map((part) => `'${part}'`).join(', ')}`, oneOf(...securityParts)),
} satisfies OptionSchema<SecurityOptions>;

export const securityRule = either(oneOf('strict'), group(securityOptions, "{ mode: 'strict', relax }"));
