import { JsonRpcCode, ProtocolError } from './protocol-error.js';

/** The name of the Tasks extension in the capabilities of both sides. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Creates the error -32021: the request needs a client that declares the Tasks extension with this request. */
export function taskClientRequired(): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.missingClientCapability,
    `This request needs a client that declares the extension "${TASKS_EXTENSION}".`,
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  );
}
