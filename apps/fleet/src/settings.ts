/** Thrown for a setting that cannot be used. The message names it and says what is expected. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** @throws {SettingsError} when the text is no whole number in these bounds */
export function readNumber(
  name: string,
  text: string | undefined,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  if (text === undefined || text === '') return otherwise;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= most))
    throw new SettingsError(`${name}: expected a number from ${least} to ${most}, received "${text}".`);
  return value;
}
