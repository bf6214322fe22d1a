/** Every error code of this package, with its meaning. docs/errors.md lists the same codes. */
export const replayErrorCatalogue = {
  TW_RECORDING_FILE: 'A recording cannot be written where it should be.',
} as const;

declare module '@toolwright/core/extend' {
  interface ExtraErrorCodes {
    TW_RECORDING_FILE: true;
  }
}

/** A recording that cannot be read. The message is one line. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}
