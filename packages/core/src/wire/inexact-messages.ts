import { type InexactNumber, cutText, digitsInPlace, inexactNumbers } from '@toolwright/json';
import { JsonRpcCode } from '../base/errors/errors.js';
import { type RpcMessage, readMessage } from './json-rpc.js';

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
