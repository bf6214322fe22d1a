import { present } from '@toolwright/json';
import { optionRules, type OptionSchema, parseOptions } from '@toolwright/core/options';
import type { Decide, DecisionInput } from './decision.js';
import { engineUrl } from './engine-url.js';
import { postJson } from './post-json.js';

/** What OpenFGA is asked: whether the user has this relation to the object. */
export interface FgaTuple {
  /** Such as `user:ann`. */
  readonly user: string;
  /** Such as `can_call`. */
  readonly relation: string;
  /** Such as `tool:delete_page`. */
  readonly object: string;
  /** What conditions of the model read. */
  readonly context?: Readonly<Record<string, unknown>>;
}

export interface OpenFgaOptions {
  /** The address of OpenFGA, such as `http://127.0.0.1:8080`. */
  url: string;
  /** The id of the store. */
  store: string;
  /** The id of the authorization model. Default: the latest one of the store, which costs OpenFGA a look. */
  model?: string;
  /** A bearer token for OpenFGA. */
  token?: string;
  /** Makes the question of a call. `undefined` denies without asking, such as for callers that have not signed in. */
  tuple: (input: DecisionInput) => FgaTuple | undefined;
  /** Sends the requests. Default: that of Node.js. */
  fetch?: typeof globalThis.fetch;
}

const { callback, filledText, required, secret } = optionRules;

const openFgaOptions = {
  url: required(engineUrl),
  store: required(filledText),
  model: filledText,
  token: secret(filledText),
  tuple: required(callback),
  fetch: callback,
} satisfies OptionSchema<OpenFgaOptions>;

/**
 * Asks OpenFGA, or another server of its API, by a check (`POST /stores/<id>/check`).
 *
 * @throws {ConfigurationError} for a wrong option
 * @example
 * openFga({
 *   url: 'http://127.0.0.1:8080',
 *   store,
 *   tuple: ({ principal, operation }) =>
 *     principal ? { user: `user:${principal.subject}`, relation: 'can_call', object: `tool:${operation.name}` } : undefined,
 * });
 */
export function openFga(given: OpenFgaOptions): Decide {
  const {
    url,
    store,
    model,
    token,
    tuple,
    fetch = globalThis.fetch,
  } = parseOptions('openFga', openFgaOptions, given);
  const address = `${url.replace(/\/$/, '')}/stores/${encodeURIComponent(store)}/check`;
  return async (input, signal) => {
    const asked = tuple(input);
    if (!asked) return { allow: false, reason: 'no tuple' };
    const { context, ...tuple_key } = asked;
    const body = present({ tuple_key, authorization_model_id: model, context });
    const { allowed, resolution } = await postJson({ url: address, body, token, fetch, signal });
    return {
      allow: allowed as boolean,
      reason:
        typeof resolution === 'string' && resolution !== ''
          ? resolution
          : `${asked.user} ${asked.relation} ${asked.object}`,
    };
  };
}
