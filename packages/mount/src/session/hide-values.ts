import type { MountValues } from '../options.js';

/** Shorter ones are words of the language, and no secrets. */
const SHORTEST = 4;

/**
 * A text without what functions of the caller gave: a server behind may repeat it on its standard error, and a failed start
 * has the arguments of its process.
 */
export function hideValues(
  text: string,
  { args = [], env = {}, headers = {}, cwd = '' }: MountValues,
): string {
  const all = [...args, ...Object.values(env), ...Object.values(headers), cwd];
  // The longest first: one may be a part of another.
  const secrets = all
    .filter(({ length }) => length >= SHORTEST)
    .sort((one, other) => other.length - one.length);
  return secrets.reduce((shown, each) => shown.replaceAll(each, '…'), text);
}

/** An error of a connection, as logs and `status()` may show it. */
export function withoutValues(error: unknown, values: MountValues): unknown {
  if (!(error instanceof Error)) return error;
  error.message = hideValues(error.message, values);
  if (error.stack !== undefined) error.stack = hideValues(error.stack, values);
  delete (error as { spawnargs?: unknown }).spawnargs;
  return error;
}
