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
    return this.ipOf(this.call.req);
  }

  get trace(): TraceContext {
    return readTrace(this.call.headers);
  }
}
