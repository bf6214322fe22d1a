/** Redis does not answer at the moment, so nothing was asked or nothing was answered. */
export class AwayError extends Error {
  override readonly name = 'AwayError';
}
