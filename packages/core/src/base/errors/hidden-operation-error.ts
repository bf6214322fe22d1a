import { JsonRpcCode, ProtocolError } from './protocol-error.js';

/**
 * The caller may not know about the operation. The answer must be exactly as if it did not exist. A different
 * answer would reveal which names exist.
 */
export class HiddenOperationError extends ProtocolError {
  constructor(readonly operation: { kind: string; name: string }) {
    super(JsonRpcCode.invalidParams, `Unknown ${operation.kind} '${operation.name}'`);
  }
}
