import type { Principal } from '@toolwright/core';
import { type Duration, type OptionSchema, optionRules } from '@toolwright/core/options';
import type { MaybePromise } from '@toolwright/core/transport';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Authenticate } from '../endpoint/authentication.js';

/** A file that is sent to who follows a link. */
export interface Download {
  readonly body: Readable | Uint8Array | string;
  /** The name under which it is saved. */
  readonly name: string;
  /** Default `application/octet-stream`. */
  readonly type?: string;
  /** In bytes, for a stream whose length is known. */
  readonly size?: number;
}

/** A file that arrives. */
export interface Received {
  /** Ends with an error when the file is too large, or when its sender goes away. */
  readonly body: Readable;
  /** What its sender says that it is. It may be anything. */
  readonly type: string | undefined;
}

export interface TransferOptions {
  /** The address under which the application serves `handler`, such as `https://docs.example.com/files`. */
  url: string | (() => string);
  /**
   * Who calls, as at the endpoint: `oauth.authenticate`. A link then counts only with a token of the caller who got it.
   * Without it, who has a link may use it, once.
   */
  authenticate?: Authenticate<IncomingMessage>;
  /** How long a link counts. Default 5 minutes, at most 1 hour. More than 0. */
  life?: Duration;
  /** The largest file that is taken, in bytes. Default 100 MB. */
  maxBytes?: number;
  /**
   * Gives the file of a link.
   *
   * @param about what the tool has said of it
   * @param caller who got the link. With `authenticate` it is who asks now, with the scopes of its token
   * @returns `undefined` when there is no such file any more
   */
  send?(about: unknown, caller: Principal | undefined): MaybePromise<Download | undefined>;
  /**
   * Takes a file.
   *
   * @returns the answer to the sender, as JSON
   */
  receive?(about: unknown, file: Received, caller: Principal | undefined): MaybePromise<object | void>;
}

const { callback, either, positiveCount, required, webUrl } = optionRules;
const HOUR_MS = 3_600_000;

export const transferOptions = {
  url: required({
    expected: 'an http(s) URL, or a function that gives one',
    accepts: either(webUrl, callback).accepts,
  }),
  authenticate: callback,
  life: {
    ...optionRules.durationThat('a duration of at most one hour', (ms) => ms > 0 && ms <= HOUR_MS),
    default: 300_000,
  },
  maxBytes: { ...positiveCount, default: 100_000_000 },
  send: callback,
  receive: callback,
} satisfies OptionSchema<TransferOptions>;
