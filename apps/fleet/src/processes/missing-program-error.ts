/** Thrown when the fleet needs a program that is not installed. Its text says what to install. */
export class MissingProgramError extends Error {
  override readonly name = 'MissingProgramError';
}
