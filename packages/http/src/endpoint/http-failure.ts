/**
 * A request that HTTP itself refuses. It is answered with a JSON-RPC error without an id, because no message
 * was read.
 */
export class HttpFailure extends Error {
  constructor(
    readonly status: number,
    /** A JSON-RPC code. */
    readonly rpcCode: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export const INVALID_REQUEST = -32600;
export const PARSE_ERROR = -32700;
export const INTERNAL_ERROR = -32603;
