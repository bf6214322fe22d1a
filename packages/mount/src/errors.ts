import { present } from '@toolwright/json';
import { ToolError } from '@toolwright/core';

declare module '@toolwright/core/extend' {
  interface ExtraErrorCodes {
    TW_MOUNT_INVALID: true;
    TW_MOUNT_DOWN: true;
  }
  interface BackgroundNouns {
    mount: true;
  }
}

/** Every error code of this package, with its meaning. docs/errors.md lists the same codes. */
export const mountErrorCatalogue = {
  TW_MOUNT_INVALID: 'A mount has a wrong option, or a name of it is taken.',
  TW_MOUNT_DOWN: 'A server that is mounted cannot be reached.',
  TW_MOUNT_LOST:
    'The connection to a mounted server ended before its answer came. Nobody knows whether the call took effect.',
  TW_MOUNT_ANSWER:
    'The answer of a mounted server breaks the protocol, or is larger or later than its mount allows.',
  TW_MOUNT_BUSY: 'A mount has as many processes or sessions as it may.',
  TW_MOUNT_CALLER: 'A mounted server needs a token or a value for the caller, and there is none.',
  TW_MOUNT_PARKED: 'A call of a mounted server waited for its client in another process, or for too long.',
} as const;

export type MountErrorCode = keyof typeof mountErrorCatalogue;

/** A failure of the server behind, in words for a model. The operator finds the cause in the log. */
export class MountError extends ToolError {
  declare readonly code: MountErrorCode;
  /** The advice to try again is given to tools that may run twice. */
  readonly retryable: boolean;

  constructor(
    code: MountErrorCode,
    message: string,
    options: { cause?: unknown; retryable?: boolean; retryAfterMs?: number } = {},
  ) {
    const { cause, retryable = false, retryAfterMs } = options;
    super(message, present({ code, cause, ...(retryAfterMs !== undefined && { meta: { retryAfterMs } }) }));
    this.retryable = retryable;
  }
}
