import type { IncomingMessage } from 'node:http';
import { readTrace, type Peer, type Principal, type TraceContext } from '@toolwright/core';

/** Who sent an HTTP request. */
export class HttpPeer implements Peer {
  readonly transport = 'http';

  constructor(
    private readonly req: IncomingMessage & { ip?: string },
    readonly principal: Principal | undefined,
  ) {}

  /** As Express works it out under its `trust proxy` setting; else the address at the other end of the socket. */
  get ip(): string | undefined {
    return this.req.ip ?? this.req.socket.remoteAddress;
  }

  get trace(): TraceContext {
    return readTrace(this.req.headers);
  }
}
