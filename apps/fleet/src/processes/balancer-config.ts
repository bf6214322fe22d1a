/** Where the balancer listens, and the replicas behind it. */
export interface BalancerPlan {
  port: number;
  replicas: readonly { name: string; port: number }[];
  /** How often each replica is asked whether it is ready, in milliseconds. */
  checkMs: number;
}

/**
 * The configuration of HAProxy: requests go to the replicas in turn, whichever session they belong to.
 *
 * A request is sent to another replica only when the first one has done nothing for it: the connection was
 * refused, or the replica answered 503, which it does only before a call runs. An empty response is not on
 * this list: the replica may have done half of the work when it died.
 *
 * Streams are quiet for long. The replicas send a comment every 15 s, so 60 s without a byte is a dead stream.
 */
export function balancerConfig({ port, replicas, checkMs }: BalancerPlan): string {
  const servers = replicas.map(({ name, port: at }) => `  server ${name} 127.0.0.1:${at}`);
  return `global
  maxconn 4096
  # Requests that may be sent again are kept in a buffer of this size.
  tune.bufsize 65536

defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  timeout http-request 10s
  retries 3
  option redispatch 1
  retry-on conn-failure 503
  # A replica that is busy answers late, and must not lose its requests to others that are as busy.
  timeout check 2s
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter ${checkMs}ms fall 1 rise 1

frontend mcp
  bind 127.0.0.1:${port}
  # The replicas count anonymous callers by this address. A client cannot choose it.
  http-request set-header X-Real-IP %[src]
  default_backend replicas

backend replicas
  balance roundrobin
${servers.join('\n')}
`;
}
