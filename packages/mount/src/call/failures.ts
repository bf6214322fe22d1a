import { BUDGET } from '../budget.js';
import {
  ProtocolError as SdkProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import { JsonRpcCode, ProtocolError, ToolError } from '@toolwright/core';
import { cutText, showHidden, isObject } from '@toolwright/json';
import { MountError } from '../errors.js';
import { hiddenIn } from '../pins/hidden-text.js';
import { LOST } from '../upstream/watched-transport.js';
import { isPage } from './round.js';

/**
 * What a failed request means for the next one.
 * - `unsent`: the server has not seen the request
 * - `forgotten`: the server does not know the session, so it has done nothing
 * - `lost`: nobody knows whether the server has done something
 * - `answered`: the server has refused, or its answer breaks the rules
 */
export type Failure = 'unsent' | 'forgotten' | 'lost' | 'answered';

const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function failureOf(error: unknown): Failure {
  if (error instanceof SdkProtocolError)
    return isLost(error) ? 'lost' : isForgotten(error) ? 'forgotten' : 'answered';
  if (error instanceof SdkHttpError) return httpFailure(error);
  if (error instanceof SdkError)
    return error.code === SdkErrorCode.NotConnected
      ? 'unsent'
      : error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.SendFailed
        ? 'lost'
        : 'answered';
  // Errors of ours, such as those of a task that has failed, have a code, too.
  if (error instanceof ToolError || error instanceof ProtocolError) return 'answered';
  const {
    message,
    cause,
    code = (cause as { code?: unknown } | undefined)?.code,
  } = error as {
    message?: string;
    cause?: unknown;
    code?: unknown;
  };
  if (UNSENT.has(code as string)) return 'unsent';
  if (message === 'Not connected' || message === 'The process has ended.') return 'unsent';
  return error instanceof TypeError || typeof code === 'string' ? 'lost' : 'answered';
}

function isLost({ data }: SdkProtocolError): boolean {
  return data === LOST;
}

/** Some servers say so with HTTP 200. A tool may speak of a session of its own, so the code must be one of the connection. */
function isForgotten({ code, message }: SdkProtocolError): boolean {
  if (code === -32001) return /session/i.test(message);
  return (
    code === -32000 &&
    /session (?:id )?(?:not found|unknown|expired|invalid)|(?:no valid|unknown|invalid) session/i.test(
      message,
    )
  );
}

/** Some servers answer 400 to the id of a session that they have forgotten, and say so only in the text. */
function httpFailure({ status, data }: SdkHttpError): Failure {
  const { text } = data as { text?: string };
  if (status === 404) return 'forgotten';
  if (status === 400 && /session|initializ/i.test(text ?? '')) return 'forgotten';
  return status >= 502 && status <= 504 ? 'lost' : 'answered';
}

const MOST_TEXT = BUDGET.errorLength;
const MOST_DATA = BUDGET.errorDataLength;

/** Codes that mean the same on our side. */
const PASSED = new Set<number>([
  JsonRpcCode.invalidParams,
  JsonRpcCode.internalError,
  JsonRpcCode.resourceNotFound,
  JsonRpcCode.missingClientCapability,
  JsonRpcCode.urlElicitationRequired,
]);

/** What other servers of this protocol answer about sessions, headers and revisions, in this or an earlier form. */
const OF_CONNECTION = new Set<number>([...Object.values(JsonRpcCode), -32000, -32001, -32003, -32004]);

/** Codes that say something about the connection behind. Of the codes below, JSON-RPC leaves a hundred to servers. */
function isOfConnection(code: number): boolean {
  return code >= -32768 && code <= -32000 && !PASSED.has(code) && (code < -32099 || OF_CONNECTION.has(code));
}

/** The error that our caller gets. */
export function translate(error: unknown): unknown {
  if (error instanceof SdkProtocolError) return translateProtocol(error);
  if (error instanceof SdkHttpError) return translateHttp(error);
  if (failureOf(error) !== 'answered') return lost(error);
  if (!(error instanceof SdkError)) return error;
  return new MountError(
    'TW_MOUNT_ANSWER',
    'The server behind this tool gave an answer that the protocol forbids.',
    {
      cause: error,
    },
  );
}

function translateProtocol(error: SdkProtocolError): Error {
  const { code, message, data } = error;
  const { failure } = (data ?? {}) as { failure?: unknown };
  if (failure instanceof MountError) return failure;
  if (data === LOST) return lost(error);
  const isOurs = isOfConnection(code);
  const text = showHidden(cutText(message.replace(/^MCP error -?\d+: /, ''), MOST_TEXT));
  if (isOurs) return new ProtocolError(JsonRpcCode.internalError, text);
  const passed = passedData(code, data);
  // Without a page, the client would wait for what nobody can open.
  const isPageless = code === JsonRpcCode.urlElicitationRequired && passed === undefined;
  return new ProtocolError(isPageless ? JsonRpcCode.internalError : code, text, passed);
}

/** The data of an error, as far as a client may have it. */
function passedData(code: number, data: unknown): Record<string, unknown> | undefined {
  if (!isObject(data) || JSON.stringify(data).length > MOST_DATA) return undefined;
  const shown = JSON.parse(JSON.stringify(data), (_key, value: unknown) =>
    typeof value === 'string' ? showHidden(value) : value,
  ) as Record<string, unknown>;
  if (hiddenIn(JSON.stringify(shown)) !== undefined) return undefined;
  if (code !== JsonRpcCode.urlElicitationRequired) return shown;
  const { elicitations } = shown;
  const pages = Array.isArray(elicitations)
    ? elicitations.filter((each) => isObject(each) && each['mode'] === 'url' && isPage(each['url']))
    : [];
  return pages.length === 0 ? undefined : { elicitations: pages };
}

function translateHttp(error: SdkHttpError): Error {
  const { status } = error;
  if (status === 401 || status === 403)
    return new MountError('TW_MOUNT_CALLER', 'The server behind this tool does not accept the credentials.', {
      cause: error,
    });
  if (status === 429)
    return new MountError(
      'TW_MOUNT_DOWN',
      'The server behind this tool has too many requests. Try again later.',
      {
        cause: error,
        retryable: true,
      },
    );
  return new MountError('TW_MOUNT_ANSWER', `The server behind this tool answered with HTTP ${status}.`, {
    cause: error,
  });
}

function lost(cause: unknown): MountError {
  return new MountError(
    'TW_MOUNT_LOST',
    'The connection to the server behind this tool ended before its answer came. Find out whether the call took effect before you repeat it.',
    { cause },
  );
}

/**
 * How a call that has failed is counted: by a code of ours. A server behind may choose any number as its code, and a metric
 * keeps a row for each value.
 *
 * @param failed the error that our caller gets
 */
export function outcomeOf(failed: unknown): string {
  const { code } = (failed ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('TW_') ? code : 'failed';
}
