import {
  codeOf,
  cutText,
  isObject,
  isShallow,
  type KeyRemover,
  keyRemover,
  reasonOf,
} from '@toolwright/json';
import { ChatError } from '../chat-error.js';
import { chatLimits } from '../chat-limits.js';
import type { ModelReply } from './chat-messages.js';
import { type ChatSettings, keyHeader } from './chat-settings.js';
import { readReply } from './read-reply.js';
import { readStream } from './read-stream.js';
import { type AnswerRequest, writeRequest } from './write-request.js';

/** As much as a person reads of what a provider says. */
const MOST_WORDS = 600;

/** Asks the model of the settings, once for each answer. */
export class ModelClient {
  /** Some providers repeat the key in an error, and a model or a tool may do so, too. */
  readonly clean: KeyRemover;

  constructor(
    private readonly settings: ChatSettings,
    private readonly answerMs: number = chatLimits.answerMs,
  ) {
    this.clean = keyRemover(settings.key);
  }

  /** The host that gets the requests. */
  get host(): string {
    return new URL(this.settings.url).host;
  }

  get model(): string {
    return this.settings.model;
  }

  /**
   * @param request.signal ends the request
   * @throws {ChatError} for everything that is not an answer
   */
  async ask({
    signal,
    ...request
  }: Omit<AnswerRequest, 'model'> & { signal?: AbortSignal }): Promise<ModelReply> {
    const body = writeRequest(this.clean({ ...request, model: this.model }));
    if (Buffer.byteLength(body) > chatLimits.request)
      throw new ChatError(
        'TW_CHAT_LIMIT',
        `The chat has become too long: the next request would have more than ${chatLimits.request} bytes. Begin a new one.`,
      );
    const { response, text } = await this.#exchange(body, signal);
    try {
      return this.clean(this.#read(response, text));
    } catch (error) {
      // The words of a strange answer may have the key.
      throw error instanceof ChatError ? new ChatError(error.code, this.clean(error.message)) : error;
    }
  }

  async #exchange(body: string, signal?: AbortSignal): Promise<{ response: Response; text: string }> {
    const late = AbortSignal.timeout(this.answerMs);
    const signals = AbortSignal.any([late, ...(signal ? [signal] : [])]);
    try {
      const response = await this.#send(body, signals);
      return { response, text: await textOf(response) };
    } catch (error) {
      if (signal?.aborted) throw new ChatError('TW_CHAT_STOPPED', 'You have stopped this turn.');
      if (error instanceof ChatError) throw error;
      if (late.aborted) throw this.#unreached(`gave no answer in ${this.answerMs / 1_000} seconds`);
      throw this.#unreached(`cannot be reached: ${this.clean(codeOf(causeOf(error)) ?? reasonOf(error))}`);
    }
  }

  #send(body: string, signal: AbortSignal): Promise<Response> {
    return fetch(this.settings.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...keyHeader(this.settings),
      },
      body,
      signal,
      // The key is for this address. Nobody leads it to another one.
      redirect: 'manual',
    });
  }

  #read({ status, headers }: Response, text: string): ModelReply {
    const type = headers.get('content-type') ?? '';
    const parsed = parse(text) ?? readStream(text);
    if (!isShallow(parsed, chatLimits.levels))
      throw new ChatError(
        'TW_CHAT_ANSWER',
        `The answer of the model is nested more than ${chatLimits.levels} levels deep.`,
      );
    const refusal = wordsOf(parsed);
    if (status >= 300 || refusal !== undefined)
      throw new ChatError(
        'TW_CHAT_REFUSED',
        this.#refused(status, this.clean(refusal ?? plainText(type, text))),
      );
    if (parsed === undefined)
      throw new ChatError(
        'TW_CHAT_ANSWER',
        `${this.host} answers with something else than JSON. Does TOOLWRIGHT_CHAT_URL lead to /chat/completions?`,
      );
    return readReply(parsed);
  }

  #refused(status: number, words: string): string {
    const said = words === '' ? '' : `: ${cutText(words, MOST_WORDS, '…')}`;
    return `${this.host} refuses the request (${status})${said}${/[.!?…]$/.test(said) ? '' : '.'}${adviceFor(status)}`;
  }

  #unreached(what: string): ChatError {
    return new ChatError('TW_CHAT_UNREACHED', `${this.host} ${what}. Does the server of the model run?`);
  }
}

const causeOf = (error: unknown) => (isObject(error) ? (error['cause'] ?? error) : error);

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > chatLimits.answer)
      throw new ChatError(
        'TW_CHAT_ANSWER',
        `The answer of the model has more than ${chatLimits.answer} bytes.`,
      );
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * What a provider says is wrong, also in an answer of status 200: `{ error: { message } }`, the same in a list,
 * `{ error }`, `{ object: 'error', message }`, or `{ detail }`.
 */
function wordsOf(body: unknown): string | undefined {
  const [first] = Array.isArray(body) ? (body as unknown[]) : [body];
  if (!isObject(first) || Array.isArray(first['choices'])) return undefined;
  const { error, message, detail } = first;
  return textIn(error) ?? textIn(message) ?? textIn(detail);
}

function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return undefined;
  const { message, msg, metadata } = value;
  const own = [message, msg].find((each) => typeof each === 'string') as string | undefined;
  const raw = isObject(metadata) ? metadata['raw'] : undefined;
  return typeof raw === 'string' ? `${own ?? 'error'}: ${raw}` : (own ?? JSON.stringify(value));
}

/** A page of a proxy says nothing to a person here. */
const plainText = (type: string, text: string) => (type.includes('html') ? '' : text.trim());

function adviceFor(status: number): string {
  if (status >= 300 && status < 400)
    return ' It leads to another address: set TOOLWRIGHT_CHAT_URL to that one.';
  if (status === 401 || status === 403) return ' Check TOOLWRIGHT_CHAT_KEY.';
  if (status === 404) return ' Check TOOLWRIGHT_CHAT_URL and TOOLWRIGHT_CHAT_MODEL.';
  if (status === 429) return ' Wait, and send it again.';
  return '';
}
