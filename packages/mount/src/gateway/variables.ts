const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The text without its references to variables. A default value is part of the file. */
export function withoutVariables(text: string): string {
  return text.replace(REFERENCE, (_all, _name, otherwise: string | undefined) => otherwise ?? '');
}

/**
 * Writes the values of variables in place of `${NAME}` and `${NAME:-default}`.
 *
 * @param missing hears of each variable that is not set
 */
export function withVariables(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  missing: (name: string) => void,
): string {
  return text.replace(REFERENCE, (_all, name: string, otherwise: string | undefined) => {
    const value = env[name];
    if (value !== undefined && (value !== '' || otherwise === undefined)) return value;
    if (otherwise === undefined) missing(name);
    return otherwise ?? '';
  });
}
