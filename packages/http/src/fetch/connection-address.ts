/** What runtimes pass beside a request, as far as it says who is at the other end. */
interface Connection {
  /** Deno: the second argument of a handler of `Deno.serve`. */
  remoteAddr?: { hostname?: unknown };
  /** Bun: the server, which is the second argument of a handler of `Bun.serve`. */
  requestIP?: (request: Request) => { address?: unknown } | null;
  /** `@hono/node-server`: the bindings of the connection. */
  incoming?: { socket?: { remoteAddress?: unknown } };
}

/** The address of the other end, where the runtime tells it; `undefined` elsewhere. */
export function connectionAddress(request: Request, connection: unknown): string | undefined {
  if (typeof connection !== 'object' || connection === null) return undefined;
  const { remoteAddr, incoming, requestIP } = connection as Connection;
  const address =
    remoteAddr?.hostname ??
    incoming?.socket?.remoteAddress ??
    (typeof requestIP === 'function' ? requestIP.call(connection, request)?.address : undefined);
  return typeof address === 'string' ? address : undefined;
}
