import type { IncomingMessage } from 'node:http';
import type { MaybePromise, Principal } from '@toolwright/core';

/** A refusal to say who the caller is, such as a 401 with `WWW-Authenticate`. */
export interface Challenge {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** For the JSON-RPC error in the body. Must not tell more than the headers do. */
  message: string;
}

/** Who calls; undefined for anonymous callers. Or how to ask them. */
export type Authentication = { principal: Principal | undefined } | { challenge: Challenge };

/** Runs for each request, after Host and Origin were checked and before the body is read. */
export type Authenticate = (req: IncomingMessage) => MaybePromise<Authentication>;
