/** The headers of the protocol whose values have no comma. */
const SINGLE: ReadonlySet<string> = new Set(['mcp-protocol-version', 'mcp-session-id', 'mcp-method']);

/**
 * The value of a header that may have come several times. Some proxies double headers, and readers join them, so equal
 * values of a header of the protocol count as one. Different ones stay joined, and equal nothing.
 *
 * @param name in lower case
 */
export function headerOnce(name: string, value: string | readonly string[] | undefined): string | undefined {
  const joined = typeof value === 'object' ? value.join(', ') : value;
  if (joined === undefined || !joined.includes(',') || !SINGLE.has(name)) return joined;
  const values = joined.split(',').map((each) => each.trim());
  return values.every((each) => each === values[0]) ? values[0]! : joined;
}

/** A name may have commas of its own: one of two equal halves, or `undefined`. */
export function halfOf(joined: string): string | undefined {
  const end = joined.length / 2 - 1;
  const half = joined.slice(0, end);
  return joined === `${half}, ${half}` ? half : undefined;
}
