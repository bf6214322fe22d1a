import { JsonRpcCode, ProtocolError } from './protocol-error.js';

/**
 * The caller may not know of the operation. To be answered exactly as if it did not exist: a different answer would
 * tell which names do.
 */
export class HiddenOperationError extends ProtocolError {
  constructor(readonly operation: { kind: string; name: string }) {
    super(JsonRpcCode.invalidParams, `Unknown ${operation.kind} '${operation.name}'`);
  }
}
