import type { Revision } from '../revision.js';
import { JsonRpcCode, ProtocolError } from './protocol-error.js';

/** The name of the Tasks extension in the capabilities of both sides. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Creates the error for a call that has to be a task. On 2025-11-25 the client must ask for one. */
export function taskRequired(tool: string, revision: Revision): ProtocolError {
  if (revision !== '2025-11-25') return taskClientRequired();
  return new ProtocolError(
    JsonRpcCode.methodNotFound,
    `The tool "${tool}" runs only as a task. Call it with "task" in the parameters.`,
  );
}

/** Creates the error -32021: the request needs a client that declares the Tasks extension with this request. */
export function taskClientRequired(): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.missingClientCapability,
    `This request needs a client that declares the extension "${TASKS_EXTENSION}".`,
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  );
}
