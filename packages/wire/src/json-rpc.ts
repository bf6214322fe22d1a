import { JsonRpcCode, type ProtocolError } from '@toolwright/ground/base/errors/errors';
import type { RequestId } from '@toolwright/ground/base/request-context';
import {
  type InexactNumber,
  LongInteger,
  ObjectForms,
  endOfString,
  isBeyondSafe,
  isWellFormed,
  readJson,
  writeJson,
  cutText,
  digitsInPlace,
  inexactNumbers,
} from '@toolwright/json';

export type JsonObject = Record<string, unknown>;

export interface RpcRequest {
  kind: 'request';
  id: RequestId;
  method: string;
  params: JsonObject;
  /** The numbers of its arguments that are not what the client wrote, in the few requests that have any. */
  inexact?: readonly InexactNumber[];
}

export interface RpcNotification {
  kind: 'notification';
  method: string;
  params: JsonObject;
}

export interface RpcResponse {
  kind: 'response';
  /** `undefined` in an error of a peer that could not read the id of the message it got. */
  id?: RequestId;
  result?: unknown;
  error?: unknown;
}

/**
 * Something that is not a valid message. `id` is present if it could be read, so that the refusal can name
 * it.
 */
interface MalformedMessage {
  kind: 'malformed';
  code: number;
  reason: string;
  /** `null` for a number that is too large to come back as it is. */
  id?: RequestId | null;
  /** True when it was meant to be a notification. Notifications are never answered, even malformed ones. */
  silent?: true;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse | MalformedMessage;

/**
 * The deepest nesting of a message. Real calls stay far below it. Recursion over deeper ones could exhaust
 * the stack.
 */
const MAX_DEPTH = 64;
/** The largest number of keys in one object. */
const MAX_KEYS = 10_000;

/** What a request has that gives nothing. */
export const NOTHING: JsonObject = Object.freeze({});

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An id with a fraction, an integer that a double cannot hold, or half a surrogate pair would come back as another id.
 */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' ? isWellFormed(value) : Number.isSafeInteger(value);
}

/**
 * Reads a parsed JSON value as a JSON-RPC 2.0 message. Unknown members are ignored, because the schema allows
 * them.
 */
export function readMessage(value: unknown): RpcMessage {
  if (!isJsonObject(value)) return malformed('A message is a JSON object.');
  const { id, method, params } = value;
  if (value['jsonrpc'] !== '2.0') return malformed('"jsonrpc" must be "2.0".', id);
  const hasId = Object.hasOwn(value, 'id');
  if (method === undefined && value['error'] !== undefined && (id === undefined || id === null)) {
    return { kind: 'response', error: value['error'] };
  }
  if (id instanceof LongInteger || (typeof id === 'number' && isBeyondSafe(id))) return { ...LARGE_ID };
  if (hasId && !isRequestId(id)) return malformed('"id" must be a string or an integer.');
  if (method === undefined && hasId && (value['result'] !== undefined || value['error'] !== undefined)) {
    return { kind: 'response', id: id as RequestId, result: value['result'], error: value['error'] };
  }
  if (typeof method !== 'string') return malformed('"method" must be a string.', id);
  if (params !== undefined && !isJsonObject(params)) {
    const failure = malformed('"params" must be an object.', id, JsonRpcCode.invalidParams);
    return hasId ? failure : { ...failure, silent: true };
  }
  if (!hasId) return { kind: 'notification', method, params: params ?? NOTHING };
  return { kind: 'request', id: id as RequestId, method, params: params ?? NOTHING };
}

/**
 * True for a message that needs an answer: a request, or a malformed message that may have been a request.
 */
export function wantsAnswer(message: RpcMessage): message is RpcRequest | MalformedMessage {
  return message.kind === 'request' || (message.kind === 'malformed' && !message.silent);
}

function malformed(
  reason: string,
  id?: unknown,
  code: number = JsonRpcCode.invalidRequest,
): MalformedMessage {
  return isRequestId(id) ? { kind: 'malformed', code, reason, id } : { kind: 'malformed', code, reason };
}

const LARGE_ID: MalformedMessage = {
  kind: 'malformed',
  code: JsonRpcCode.invalidRequest,
  reason:
    '"id" must be a string, or an integer of at most 2^53 - 1: a larger one would not come back as it is.',
  id: null,
};

/**
 * The largest number of integers beyond 2^53 - 1 in a message. Each is read, looked up in a schema and explained, and takes as
 * long as some hundred usual values do.
 */
const MAX_LARGE_NUMBERS = 1_000;

/**
 * The value of a message's text. With more long integers than a message may have, the rest of them is rounded, and `findExcess`
 * refuses the message.
 *
 * @throws {SyntaxError} for text that is not JSON
 * @throws {TooManyPartsError} before it is parsed
 */
export function readText(text: string): unknown {
  if (text.length > LONG_TEXT && !SIGNS.every((sign) => isRare(sign, text)) && hasTooManyParts(text))
    throw new TooManyPartsError();
  return readJson(text, MAX_LARGE_NUMBERS + 1);
}

/** A text has parts that would take longer to parse than any check of them, and its id is not known. */
export class TooManyPartsError extends Error {
  override readonly message = `The message has more than ${MAX_PARTS} objects and lists, more than ${MAX_FORMS} different forms of objects, or is nested more than ${MAX_NESTED} levels deep.`;
}

/** What is shorter is parsed within milliseconds, whatever it is. */
const LONG_TEXT = 64 * 1024;
/** Parsing takes 0.2 microseconds for each. Coordinates of a map have fewer in a body of 1 MiB. */
const MAX_PARTS = 100_000;
/** Far more than `MAX_DEPTH`: what is parsed is refused by its id. */
const MAX_NESTED = 1_000;

/** Two objects with the most keys that are allowed have this many. Parsing takes up to a microsecond for each. */
const MAX_FORMS = 20_000;

/** What begins an object, a list, or a value of an object. */
const SIGNS = ['{', '[', ':'];

/** Objects and lists together are then fewer than any limit. */
const RARE = MAX_NESTED / 2;

/** A long string is searched for a sign in a tenth of the time that a look at it takes. */
function isRare(sign: string, text: string): boolean {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0 && count < RARE; at = text.indexOf(sign, at + 1)) count++;
  return count < RARE;
}

/**
 * Looks at what is outside of strings. A megabyte of lists in lists holds the event loop for 90 ms in `JSON.parse` alone.
 *
 * @param forms counts the forms of objects. Only texts with enough members are looked at a second time, with it: it takes 30 µs
 *   before it has counted anything.
 */
function hasTooManyParts(text: string, forms?: ObjectForms): boolean {
  let [parts, depth, members] = [0, 0, 0];
  let [nameFrom, nameTo] = [0, 0];
  for (let at = 0; at < text.length && parts <= MAX_PARTS && depth <= MAX_NESTED; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      nameFrom = at + 1;
      // A text whose last string has no end is not JSON, which the parser says.
      if ((at = nameTo = endOfString(text, at) - 1) < 0) break;
    } else if (code === COLON) {
      members++;
      forms?.add(depth, nameFrom, nameTo);
      if (forms && forms.count > MAX_FORMS) return true;
    } else if (code === OBJECT || code === LIST) {
      parts++;
      depth++;
      forms?.open(depth);
    } else if (code === OBJECT_END || code === LIST_END) depth--;
  }
  if (parts > MAX_PARTS || depth > MAX_NESTED) return true;
  return !forms && members > MAX_FORMS && hasTooManyParts(text, new ObjectForms(text));
}

const [QUOTE, COLON, LIST, LIST_END, OBJECT, OBJECT_END] = [34, 58, 91, 93, 123, 125];

/** How many large numbers the current message has so far. Nothing else is looked at meanwhile. */
let largeNumbers = 0;

function countLarge(): string | typeof LARGE_NUMBER {
  return ++largeNumbers > MAX_LARGE_NUMBERS
    ? `The message has more than ${MAX_LARGE_NUMBERS} integers beyond ±(2^53 - 1). Send them as strings.`
    : LARGE_NUMBER;
}

/** A message has a number that may not be what the client wrote. */
export const LARGE_NUMBER = Symbol('large number');

/**
 * What is wrong with the size of a parsed message; else whether it has a large number, or `undefined`. It goes no deeper
 * than the limit.
 */
export function findExcess(value: unknown, depth = 0): string | typeof LARGE_NUMBER | undefined {
  if (depth === 0) largeNumbers = 0;
  if (typeof value === 'number') return isBeyondSafe(value) ? countLarge() : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth >= MAX_DEPTH) return `The message is nested more than ${MAX_DEPTH} levels deep.`;
  let large: typeof LARGE_NUMBER | undefined;
  if (Array.isArray(value)) {
    for (const item of value) {
      const excess = findExcess(item, depth + 1);
      if (excess === LARGE_NUMBER) large = excess;
      else if (excess) return excess;
    }
    return large;
  }
  let keys = 0;
  for (const key in value) {
    if (++keys > MAX_KEYS) return `An object of the message has more than ${MAX_KEYS} keys.`;
    const excess = findExcess((value as Record<string, unknown>)[key], depth + 1);
    if (excess === LARGE_NUMBER) large = excess;
    else if (excess) return excess;
  }
  return keys === 0 && value instanceof LongInteger ? countLarge() : large;
}

/** Turns the answer of a request into text; no other code does this. `result` is already JSON, whose texts are well formed. */
export function resultText(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : writeJson(id)},"result":${result}}`;
}

/**
 * An id that could not be read is left out, because the schema does not allow `null` for it. One that was read and is too
 * large a number is `null`, as JSON-RPC 2.0 says: its client waits for an answer.
 */
export function errorText(id: RequestId | null | undefined, { rpcCode, message, data }: ErrorShape): string {
  return writeJson({ jsonrpc: '2.0', id, error: { code: rpcCode, message, data } });
}

type ErrorShape = Pick<ProtocolError, 'rpcCode' | 'message' | 'data'>;

export function notificationText(method: string, params?: Record<string, unknown>): string {
  return writeJson({ jsonrpc: '2.0', method, params });
}

export function requestText(id: RequestId, method: string, params: Record<string, unknown>): string {
  return writeJson({ jsonrpc: '2.0', id, method, params });
}

/**
 * The largest number of messages in a batch. Each may be answered with a whole list, so a small body could
 * ask for gigabytes.
 */
export const MAX_BATCH = 100;
/** The longest text that is sent back again and again, such as a progress token. */
export const MAX_REPEATED = 1_000;
/** The largest description of a client, as JSON, that a session keeps. */
export const MAX_DESCRIPTION = 16_384;

/** Reserved `_meta` keys of 2026-07-28 (basic/index). */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  /** On 2025-11-25. */
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const;

/**
 * Reads a message with numbers that JavaScript would round. Such a message is refused. The arguments of a request are the
 * exception: they keep the digits of large integers as text, and the operation refuses them, in words for a model.
 *
 * @param isReadElsewhere true when other code, such as a body parser of Express, has parsed the text before us
 */
export function refuseInexact(body: unknown, isReadElsewhere = false): RpcMessage {
  const message = readMessage(body);
  if (message.kind === 'malformed') return message;
  const numbers = inexactNumbers(body, isReadElsewhere);
  if (numbers.length === 0) return message;
  const other = numbers.find(({ path }) => message.kind !== 'request' || !isArgument(path));
  if (!other) return withTexts(message as Request, numbers);
  const { invalidParams, invalidRequest } = JsonRpcCode;
  const code = other.path[0] === 'params' ? invalidParams : invalidRequest;
  const reason = sentenceOf(other);
  if (message.kind === 'notification') return { kind: 'malformed', code, reason, silent: true };
  // Whoever waits for the answer hears why it cannot be used.
  if (message.kind === 'response')
    return { kind: 'response', id: message.id!, error: { code: invalidParams, message: reason } };
  return { kind: 'malformed', code, reason, id: message.id };
}

type Request = Extract<RpcMessage, { kind: 'request' }>;

/** What is wrong with a number, for people who read errors of the protocol. */
export function sentenceOf({ path, why }: InexactNumber, before = ''): string {
  return `The number at "${cutText(before + path.join('.'), LONGEST_PATH, '…')}" is not taken: ${why}`;
}

const LONGEST_PATH = 200;
/** `params.arguments.<name>` */
const DEPTH = 2;

function isArgument([params, args, name]: readonly string[]): boolean {
  return params === 'params' && args === 'arguments' && name !== undefined;
}

function withTexts(message: Request, numbers: readonly InexactNumber[]): Request {
  const inArguments = numbers.map((each) => ({ ...each, path: each.path.slice(DEPTH) }));
  const args = digitsInPlace(message.params['arguments'], inArguments);
  return { ...message, params: { ...message.params, arguments: args }, inexact: inArguments };
}
