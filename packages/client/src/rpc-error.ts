/** The server answered a request with a JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    /** JSON-RPC `error.code`, such as -32602 for an unknown tool. */
    readonly code: number,
    message: string,
    /** JSON-RPC `error.data`. */
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }
}
