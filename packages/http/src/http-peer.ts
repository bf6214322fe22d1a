import type { IncomingMessage } from 'node:http';
import type { Principal, TraceContext } from '@toolwright/core';
import { readTrace, type Peer } from '@toolwright/core/transport';
import type { HttpCall } from './endpoint.js';
import type { McpHttpSettings } from './options.js';

/** Who sent an HTTP request. */
export class HttpPeer implements Peer {
  readonly transport = 'http';

  constructor(
    private readonly call: Pick<HttpCall, 'req' | 'headers'>,
    private readonly ipOf: McpHttpSettings['ip'],
    readonly principal: Principal | undefined,
  ) {}

  get ip(): string | undefined {
    return addressOf(this.call.req, this.ipOf);
  }

  get trace(): TraceContext {
    return readTrace(this.call.headers);
  }
}

/** The address that the application names, or else the other end of the socket. */
export function addressOf(req: IncomingMessage, ipOf: McpHttpSettings['ip']): string | undefined {
  return ipOf ? ipOf(req) : req.socket.remoteAddress;
}
