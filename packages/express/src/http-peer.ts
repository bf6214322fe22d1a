import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readTrace, type Peer, type Principal, type TraceContext } from '@toolwright/core';

/** Who sent an HTTP request. */
export class HttpPeer implements Peer {
  readonly transport = 'http';

  constructor(
    private readonly req: ServedRequest,
    private readonly headers: IncomingHttpHeaders,
    readonly principal: Principal | undefined,
  ) {}

  /** As Express works it out under its `trust proxy` setting; else the address at the other end of the socket. */
  get ip(): string | undefined {
    const { app, socket } = this.req;
    // Without a trusted proxy Express would take 5 µs to say the same.
    if (!app || app.disabled('trust proxy')) return socket.remoteAddress;
    return this.req.ip;
  }

  get trace(): TraceContext {
    return readTrace(this.headers);
  }
}

/** With what Express adds. */
export type ServedRequest = IncomingMessage & { ip?: string; app?: { disabled(setting: string): boolean } };
