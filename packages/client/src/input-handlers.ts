import type { ElicitResult, SampleResult } from '@toolwright/core';
import { RpcError } from './exchange.js';

type MaybePromise<T> = T | Promise<T>;

/** The question of an elicitation: a form (`requestedSchema`), or a page to open (`url`). */
export interface Elicitation {
  mode?: 'form' | 'url';
  message: string;
  requestedSchema?: Record<string, unknown>;
  url?: string;
}

/**
 * The functions that answer when a tool asks in the middle of a call. For each function that you pass, the
 * client declares the capability.
 */
export interface InputHandlers {
  /** Answers for the person: `() => ({ action: 'accept', content: { ok: true } })`. */
  elicit?(question: Elicitation): MaybePromise<ElicitResult>;
  /** Answers for the model. */
  sample?(request: Record<string, unknown>): MaybePromise<SampleResult>;
  /** Returns the client's root folders. */
  roots?(): MaybePromise<{ uri: string; name?: string }[]>;
}

/** The capabilities that these functions make possible. */
export function capabilitiesOf({ elicit, sample, roots }: InputHandlers): Record<string, unknown> {
  return {
    ...(elicit && { elicitation: { form: {}, url: {} } }),
    ...(sample && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

/**
 * Answers one question of the server. The question may have come as a request, or inside an `input_required`
 * result.
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
