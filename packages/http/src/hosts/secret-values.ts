import type { HostValue } from './host-server.js';

/** The values as a host writes them that expands variables in its settings. */
export function expandedBy(
  values: Readonly<Record<string, HostValue>> | undefined,
  refer: (variable: string) => string,
): Record<string, string> | undefined {
  const entries = Object.entries(values ?? {});
  if (entries.length === 0) return undefined;
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `${value.before ?? ''}${refer(value.variable)}`,
    ]),
  );
}

/** The first variable that values refer to; `undefined` if all of them are texts. */
export function firstVariable(values: Readonly<Record<string, HostValue>> | undefined): string | undefined {
  for (const value of Object.values(values ?? {})) if (typeof value !== 'string') return value.variable;
  return undefined;
}

/** An object without the members that are undefined or empty lists. */
export function present(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
