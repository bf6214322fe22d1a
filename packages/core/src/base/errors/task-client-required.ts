import { JsonRpcCode, ProtocolError } from './protocol-error.js';

/** The Tasks extension, in capabilities of both sides. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** -32021: what was asked for needs a client that declares the Tasks extension with the request itself. */
export function taskClientRequired(): ProtocolError {
  return new ProtocolError(
    JsonRpcCode.missingClientCapability,
    `This request needs a client that declares the extension "${TASKS_EXTENSION}".`,
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  );
}
