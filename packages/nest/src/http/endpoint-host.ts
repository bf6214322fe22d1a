import type { NestEndpoint } from './nest-endpoint.js';

/** Holds the endpoint for its controller, which Nest makes before the server. */
export class EndpointHost {
  /** Set when the server is there. Nest routes no request before that. */
  endpoint: NestEndpoint | undefined;
}
