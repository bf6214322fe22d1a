import type { OptionSchema } from '../../base/options/option-schema.js';
import { either, group, listOf, oneOf, required } from '../../base/options/rules.js';

/** The parts of the strict security mode, in the order in which docs/security.md explains them. */
export const securityParts = [
  'principals',
  'annotations',
  'scopes',
  'audit',
  'hidden',
  'output',
  'landing',
] as const;

/**
 * A part of the strict security mode:
 * - `principals`: anonymous callers are refused
 * - `annotations`: every tool must say whether it only reads, and whether it destroys
 * - `scopes`: every tool, prompt, resource and template must say which scopes it needs
 * - `audit`: every call of these is recorded
 * - `hidden`: hidden characters are removed from text
 * - `output`: data that a tool does not declare is never sent
 * - `landing`: endpoints over HTTP show no page to people who open them in a browser
 */
export type SecurityPart = (typeof securityParts)[number];

/** The strict security mode, without the parts that `relax` names. */
export interface SecurityOptions {
  mode: 'strict';
  relax?: readonly SecurityPart[];
}

const securityOptions = {
  mode: required(oneOf('strict')),
  relax: listOf(`a list of ${securityParts.map((part) => `'${part}'`).join(', ')}`, oneOf(...securityParts)),
} satisfies OptionSchema<SecurityOptions>;

export const securityRule = either(oneOf('strict'), group(securityOptions, "{ mode: 'strict', relax }"));
