import type { RecordedCall } from '../../../../src/api/record-api.js';
import type { Operation } from '../../../../src/api/surface-api.js';

/** The operation that was called, if this caller sees it. */
export function operationOf(
  { kind, name }: RecordedCall,
  operations: readonly Operation[],
): Operation | undefined {
  return operations.find((each) => each.kind === kind && each.name === name);
}
