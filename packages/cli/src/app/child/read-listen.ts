/** The address that the app asked to listen on. */
interface Wanted {
  port: number;
  host: string | undefined;
  listening?: () => void;
}

/** Reads the forms of `server.listen` that mean a TCP port; undefined for all others. */
export function readListen(args: readonly unknown[]): Wanted | undefined {
  const [first, second] = args;
  const last = args.at(-1);
  const listening = typeof last === 'function' ? { listening: last as () => void } : {};
  if (typeof first === 'object' && first !== null) {
    const { port, host, path, fd } = first as Record<string, unknown>;
    if (path !== undefined || fd !== undefined || !isPort(port)) return undefined;
    return { port: Number(port), host: typeof host === 'string' ? host : undefined, ...listening };
  }
  if (first === undefined || first === null || typeof first === 'function')
    return { port: 0, host: undefined, ...listening };
  if (!isPort(first)) return undefined;
  return { port: Number(first), host: typeof second === 'string' ? second : undefined, ...listening };
}

/** As in `net`, a string of digits is a port, and any other string is a pipe. */
function isPort(value: unknown): boolean {
  return (
    (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))) &&
    Number(value) <= 65_535
  );
}
