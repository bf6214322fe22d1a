interface ErrorLike extends Error {
  readonly code?: unknown;
  readonly errors?: unknown;
}

/** How many of the errors that happened together are read. */
const MOST = 5;

/** The message of an error. One that gathers others may have none: then theirs. */
export function reasonOf(error: unknown): string {
  if (!isError(error)) return String(error);
  if (error.message !== '') return error.message;
  const gathered = gatheredIn(error);
  if (gathered.length > 0) return [...new Set(gathered.map(reasonOf))].join('; ');
  return codeOf(error) ?? error.name;
}

/** The code of an error, or of the first one that it gathers. */
export function codeOf(error: unknown): string | undefined {
  if (!isError(error)) return undefined;
  return typeof error.code === 'string' ? error.code : codeOf(gatheredIn(error)[0]);
}

const gatheredIn = ({ errors }: ErrorLike): readonly unknown[] =>
  Array.isArray(errors) ? errors.slice(0, MOST) : [];

/** Not by its class: an error may come from another realm. */
export const isError = (error: unknown): error is Error & { readonly code?: unknown } =>
  typeof error === 'object' && error !== null && 'message' in error && 'stack' in error;
