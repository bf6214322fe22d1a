import { present } from '@toolwright/json';
import type { AuthorizationAnswer, CedarValueJson } from '@cedar-policy/cedar-wasm/nodejs';
import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '@toolwright/core';
import { optionRules, type OptionSchema, parseOptions, wrongOption } from '@toolwright/core/options';
import type { Decide, DecisionInput } from './decision.js';

type Engine = typeof import('@cedar-policy/cedar-wasm/nodejs');
type Entity = Parameters<Engine['statefulIsAuthorized']>[0]['entities'][number];

/** The type and the id of an entity, as in `User::"ann"`. */
export interface CedarEntityId {
  readonly type: string;
  readonly id: string;
}

/** An entity in Cedar's JSON form. The values of its attributes are JSON, or `__entity` and `__extn` objects. */
export interface CedarEntity {
  readonly uid: CedarEntityId;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly parents: readonly CedarEntityId[];
}

/** A request in the words of Cedar. Its numbers are whole, and it has no `null`. */
export interface CedarRequest {
  readonly principal: CedarEntityId;
  readonly action: CedarEntityId;
  readonly resource: CedarEntityId;
  readonly context?: Readonly<Record<string, unknown>>;
  /** Entities for this request, besides those of the option. */
  readonly entities?: readonly CedarEntity[];
}

export interface CedarOptions {
  /** The text of the policies. */
  policies: string;
  /** The text of the schema. With it, requests are checked before they are decided. */
  schema?: string;
  /** What is known about users and tools, such as their groups. */
  entities?: readonly CedarEntity[];
  /**
   * Makes the request of a call. Default: `User::"<subject>"`, `Action::"call"` or `Action::"list"`,
   * `Tool::"<name>"` (or `Prompt`, `Resource`, `ResourceTemplate`), and a context with `scopes`, `tenant` and
   * `issuer`. `undefined` denies without asking.
   */
  request?: (input: DecisionInput) => CedarRequest | undefined;
}

const { callback, filledText, required } = optionRules;

const cedarOptions = {
  policies: required(filledText),
  schema: filledText,
  entities: { expected: 'a list of entities', accepts: Array.isArray },
  request: callback,
} satisfies OptionSchema<CedarOptions>;

const TYPES: Readonly<Record<string, string>> = {
  tool: 'Tool',
  prompt: 'Prompt',
  resource: 'Resource',
  resourceTemplate: 'ResourceTemplate',
};

/**
 * Decides by policies in Cedar, in this process, with `@cedar-policy/cedar-wasm`. Install that package, too.
 *
 * @throws {ConfigurationError} for a wrong option, for policies that cannot be read, and if the package is missing
 * @example
 * cedar({ policies: 'permit(principal, action == Action::"call", resource in Group::"public");', entities });
 */
export function cedar(given: CedarOptions): Decide {
  const { policies, schema, entities = [], request = usual } = parseOptions('cedar', cedarOptions, given);
  const engine = loadEngine();
  // Other servers of this process have policies of their own.
  const name = randomUUID();
  failOn('policies', engine.preparsePolicySet(name, { staticPolicies: policies }));
  if (schema !== undefined) failOn('schema', engine.preparseSchema(name, schema));
  return (input) => {
    const asked = request(input);
    if (!asked) return { allow: false, reason: 'no request' };
    const { context = {}, entities: own = [], ...who } = asked;
    return read(
      engine.statefulIsAuthorized({
        ...who,
        context: context as Record<string, CedarValueJson>,
        entities: [...entities, ...own] as Entity[],
        preparsedPolicySetId: name,
        ...(schema !== undefined && { preparsedSchemaName: name, validateRequest: true }),
      }),
    );
  };
}

function usual({ action, principal, operation }: DecisionInput): CedarRequest | undefined {
  if (!principal) return undefined;
  const { subject, scopes, tenant, issuer } = principal;
  return {
    principal: { type: 'User', id: subject },
    action: { type: 'Action', id: action },
    resource: { type: TYPES[operation.kind] ?? 'Tool', id: operation.name },
    context: present({ scopes: [...scopes], tenant, issuer }),
  };
}

function read(answer: AuthorizationAnswer) {
  if (answer.type === 'failure') throw new Error(answer.errors.map(({ message }) => message).join('; '));
  const { decision, diagnostics } = answer.response;
  // Cedar leaves out a policy that fails. It may be the one that forbids.
  const [failed] = diagnostics.errors;
  if (failed) throw new Error(`The policy ${failed.policyId} failed: ${failed.error.message}`);
  return {
    allow: decision === 'allow',
    reason: diagnostics.reason.length > 0 ? diagnostics.reason.join(', ') : 'no policy permits it',
  };
}

function loadEngine(): Engine {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an optional peer, only for those who use it
    return require('@cedar-policy/cedar-wasm/nodejs') as Engine;
  } catch (cause) {
    throw new ConfigurationError(
      [
        {
          code: 'TW_PACKAGE_MISSING',
          message: 'cedar() needs the package @cedar-policy/cedar-wasm, which is not installed.',
          fix: 'Run `npm install @cedar-policy/cedar-wasm`.',
        },
      ],
      { cause },
    );
  }
}

function failOn(what: string, answer: { type: string; errors?: readonly { message: string }[] }): void {
  if (answer.type === 'success') return;
  const why = answer.errors?.map(({ message }) => message).join('; ') ?? 'They cannot be read.';
  throw wrongOption(`The option "${what}" of cedar cannot be used: ${why}`, `Correct the text of "${what}".`);
}
