import type { ToolContext } from '@toolwright/core';
import {
  type Duration,
  type OptionSchema,
  optionRules,
  parseOptions,
  type WithDefaults,
} from '@toolwright/core/options';
import { readUrl } from '@toolwright/json';
import { apiError } from './api-errors.js';
import type { AnsweredRequest } from './answered-request.js';
import type { ApiRequest } from './api-request.js';
import { buildRequest, nameOf } from './build-request.js';
import { addCredentials, type ApiCredentials } from './credentials.js';
import { type ApiAnswer, promisedValue, readAnswer, textOfAnswer, withoutNulls } from './read-answer.js';
import { endedAtLimit } from './list-endings.js';
import { type ApiPages, readPages } from './read-pages.js';
import { sendRequest } from './send-request.js';

export interface ApiClientOptions extends ApiCredentials {
  /** Where the API is, such as `https://api.example.com/v1`. Without it, every call fails and says so. */
  baseUrl: string | undefined;
  /**
   * Where operations with an address of their own are: the address that the specification says, and the one to use. A request
   * to any other address is refused where this is given, so that credentials go nowhere else.
   */
  servers?: Readonly<Record<string, string>>;
  /** How long one attempt of a request may take. Default 30 s. More than 0, at most a day. */
  timeout?: Duration;
  /** How many times a request that may be repeated is sent again, if it fails on its way or is refused for now. Default 2. */
  retries?: number;
  /**
   * The time before the first repetition; each further one waits twice as long. Default 500 ms. 0: at once;
   * at most a day.
   */
  retryDelay?: Duration;
  /** How many bytes an answer may have. Default 10 MB. */
  maxBytes?: number;
  /** What sends requests. Default: the global `fetch`. */
  fetch?: typeof fetch;
}

const { anyObject, callback, count, driverTimeout, either, shortPause, positiveCount, text } = optionRules;

const web = { expected: 'an http or https URL without a user', accepts: isWebUrl };

/** The rules of the options, also for `openApiTools`, which passes them on. */
export const clientRules = {
  baseUrl: { ...either(web, { expected: 'undefined', accepts: (value) => value === undefined }) },
  token: either(text, callback),
  basic: anyObject,
  apiKey: either(anyObject, { expected: 'a list of objects', accepts: Array.isArray }),
  servers: {
    expected: 'an object of http or https URLs',
    accepts: (value) => anyObject.accepts(value) && Object.values(value as object).every(isWebUrl),
  },
  timeout: { ...driverTimeout, default: 30_000 },
  retries: { ...count, default: 2 },
  retryDelay: { ...shortPause, default: 500 },
  maxBytes: { ...positiveCount, default: 10 * 1024 * 1024 },
  fetch: callback,
} satisfies OptionSchema<Omit<ApiClientOptions, 'baseUrl'> & { baseUrl?: string }>;

/**
 * Calls an HTTP API for tools: it writes requests as the specification says, adds credentials, repeats what may be
 * repeated, reads pages, and turns errors of the API into `ToolError`s with the API's own message.
 *
 * @example
 * const api = new ApiClient({ baseUrl: 'https://api.example.com', token: process.env.API_TOKEN });
 * await api.call({ method: 'GET', path: '/pets/{petId}', params: { petId } }, ctx);
 */
export class ApiClient {
  private readonly options: WithDefaults<ApiClientOptions, typeof clientRules>;

  /** @throws {ConfigurationError} if an option is wrong */
  constructor(given: ApiClientOptions) {
    const { baseUrl, ...rest } = given;
    const parsed = parseOptions('ApiClient', clientRules, {
      ...rest,
      ...(baseUrl !== undefined && { baseUrl }),
    });
    this.options = parsed as unknown as WithDefaults<ApiClientOptions, typeof clientRules>;
  }

  /**
   * Sends a request and returns the value that the API answers with. Members that are null are left out.
   *
   * @throws {ToolError} if the API answers with an error, without content, with text that is not JSON, or not at all
   */
  async call<Result>(request: ApiRequest, ctx: ToolContext): Promise<Result> {
    const answer = await this.ask(request, ctx);
    if (request.mayBeEmpty && answer.value === undefined) return null as Result;
    return withoutNulls(promisedValue(nameOf(request), answer)) as Result;
  }

  /** The same for an operation that answers with text. */
  async text(request: ApiRequest, ctx: ToolContext): Promise<string> {
    const { value, text: said, headers } = await this.ask(request, ctx);
    if (request.location && value === undefined) return headers.get('location') ?? '';
    // A bare `1.10` is the text "1.10", and anything else that is not a text arrives as it came, too.
    return typeof value === 'string' ? value : said;
  }

  /** The same for an operation whose answer says nothing. */
  async send(request: ApiRequest, ctx: ToolContext): Promise<void> {
    await this.ask(request, ctx);
  }

  /** Reads the pages of a list until there are `limit` items. If there may be more, the result of the call says it. */
  async list<Item>(request: ApiRequest, pages: ApiPages, ctx: ToolContext): Promise<Item[]> {
    const { items, more } = await readPages(request, pages, async (each) => {
      const answer = await this.ask(each, ctx);
      // A page without content is the end. A page that is not JSON is an error: its items would be lost.
      if (answer.value === undefined) return answer;
      return { ...answer, value: promisedValue(nameOf(each), answer) };
    });
    if (more !== 'none') endedAtLimit(ctx, items.length, more === 'certain');
    return withoutNulls(items) as Item[];
  }

  private async ask(request: ApiRequest, ctx: ToolContext): Promise<ApiAnswer> {
    const { baseUrl, timeout, retries, retryDelay, maxBytes, fetch: send = fetch } = this.options;
    const name = nameOf(request);
    if (baseUrl === undefined)
      throw apiError(
        'TW_OPENAPI_REQUEST',
        `${name} has no address: set API_BASE_URL, or baseUrl of the client.`,
      );
    const built = buildRequest(addressOf(request, baseUrl, this.options.servers), request);
    await addCredentials(built, { credentials: this.options, auth: request.auth }, ctx);
    const began = performance.now();
    let status: number | undefined;
    try {
      const read = async (response: Response) => {
        ({ status } = response);
        return textOfAnswer(name, response, maxBytes);
      };
      const how = { timeout, retries, retryDelay, fetch: send, signal: ctx.signal, name, read };
      return readAnswer(name, await sendRequest(built, how));
    } finally {
      const { apiAnswered } = ctx as { apiAnswered?: (request: AnsweredRequest) => void };
      apiAnswered?.({ name, status, ms: performance.now() - began });
    }
  }
}

/**
 * Where a request goes.
 *
 * @throws {ToolError} for an address that the client was not given
 */
function addressOf(
  request: ApiRequest,
  baseUrl: string,
  servers: Readonly<Record<string, string>> | undefined,
): string {
  const { baseUrl: own } = request;
  if (own === undefined) return baseUrl;
  if (own.startsWith('/')) return new URL(own, baseUrl).href;
  if (servers === undefined) return own;
  if (!Object.hasOwn(servers, own))
    throw apiError(
      'TW_OPENAPI_REQUEST',
      `${nameOf(request)} is at ${own}, which "servers" of the client does not have.`,
    );
  return servers[own]!;
}

/** `fetch` takes no address with a user. `basic` is for that. */
function isWebUrl(value: unknown): boolean {
  const url = typeof value === 'string' ? readUrl(value) : undefined;
  return url !== undefined && url !== null && /^https?:$/.test(url.protocol) && url.username === '';
}
