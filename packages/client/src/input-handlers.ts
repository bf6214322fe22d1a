import type { ElicitResult, SampleResult } from '@toolwright/core';
import { RpcError } from './rpc-error.js';

type MaybePromise<T> = T | Promise<T>;

/** What an elicitation asks: a form (`requestedSchema`) or a page to open (`url`). */
export interface Elicitation {
  mode?: 'form' | 'url';
  message: string;
  requestedSchema?: Record<string, unknown>;
  url?: string;
}

/** Who answers when a tool asks in the middle of a call. Each handler given is a capability the client declares. */
export interface InputHandlers {
  /** Plays the person: `() => ({ action: 'accept', content: { ok: true } })`. */
  elicit?(question: Elicitation): MaybePromise<ElicitResult>;
  /** Plays the model. */
  sample?(request: Record<string, unknown>): MaybePromise<SampleResult>;
  /** The client's root folders. */
  roots?(): MaybePromise<{ uri: string; name?: string }[]>;
}

/** The capabilities that these handlers can honour. */
export function capabilitiesOf({ elicit, sample, roots }: InputHandlers): Record<string, unknown> {
  return {
    ...(elicit && { elicitation: { form: {}, url: {} } }),
    ...(sample && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

/**
 * Answers one question of the server, whichever way it came: as a request, or inside an `input_required` result.
 *
 * @throws {RpcError} -32601 when there is no handler for it
 */
export async function answerInput(
  handlers: InputHandlers,
  method: string,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (method === 'elicitation/create' && handlers.elicit) {
    return { ...(await handlers.elicit(params as unknown as Elicitation)) };
  }
  if (method === 'sampling/createMessage' && handlers.sample) return { ...(await handlers.sample(params)) };
  if (method === 'roots/list' && handlers.roots) return { roots: await handlers.roots() };
  throw new RpcError(-32601, `This client has no handler for ${method}.`);
}
