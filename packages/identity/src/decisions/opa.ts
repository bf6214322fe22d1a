import { type OptionRule, optionRules, type OptionSchema, parseOptions } from '@toolwright/core/options';
import type { Decide } from './decision.js';
import { engineUrl } from './engine-url.js';
import { postJson } from './post-json.js';

export interface OpaOptions {
  /** The address of OPA, such as `http://127.0.0.1:8181`. */
  url: string;
  /** The rule that decides, such as `mcp/allow`. It is true or false, or an object with `allow` and `reason`. */
  path: string;
  /** A bearer token for OPA. */
  token?: string;
  /** Sends the requests. Default: that of Node.js. */
  fetch?: typeof globalThis.fetch;
}

const path: OptionRule = {
  expected: 'the path of a rule, such as mcp/allow',
  accepts: (value) => typeof value === 'string' && /^[\w-]+(\/[\w-]+)*$/.test(value),
};

const opaOptions = {
  url: optionRules.required(engineUrl),
  path: optionRules.required(path),
  token: optionRules.secret(optionRules.filledText),
  fetch: optionRules.callback,
} satisfies OptionSchema<OpaOptions>;

/**
 * Asks Open Policy Agent over its REST API (`POST /v1/data/<path>`). A rule that is undefined denies. The id of the decision
 * is the one in OPA's own decision log.
 *
 * @throws {ConfigurationError} for a wrong option
 * @example
 * await extend(server, externalDecision({ decide: opa({ url: 'http://127.0.0.1:8181', path: 'mcp/allow' }) }));
 */
export function opa(given: OpaOptions): Decide {
  const { url, path: rule, token, fetch = globalThis.fetch } = parseOptions('opa', opaOptions, given);
  const address = `${url.replace(/\/$/, '')}/v1/data/${rule}`;
  return async (input, signal) => {
    const answer = await postJson({ url: address, body: { input }, token, fetch, signal });
    const { result, decision_id: id } = answer;
    const named = typeof id === 'string' ? { id } : {};
    if (result === undefined) return { ...named, allow: false, reason: `${rule} is undefined` };
    if (typeof result === 'boolean') return { ...named, allow: result };
    const { allow, reason } = (result ?? {}) as Readonly<Record<string, unknown>>;
    const why = Array.isArray(reason) ? reason.join('; ') : reason;
    return { ...named, allow: allow as boolean, ...(typeof why === 'string' && { reason: why }) };
  };
}
