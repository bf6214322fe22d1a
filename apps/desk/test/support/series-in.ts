/**
 * The names of the series that an expression of Prometheus reads. Some are patterns, because only some exporters write
 * `_seconds` behind what is measured in seconds.
 */
export function seriesIn(expression: string): RegExp[] {
  const patterns = [...expression.matchAll(/__name__=~"([^"]+)"/g)].map(([, pattern]) => pattern!);
  const rest = expression.replace(/__name__=~"[^"]+"/g, '');
  const names = rest.match(/\b(?:toolwright_server|mcp_server|process)_\w+/g) ?? [];
  return [...patterns, ...names].map((pattern) => new RegExp(`^(?:${pattern})$`));
}
