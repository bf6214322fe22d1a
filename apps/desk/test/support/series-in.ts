/** The names of the series that an expression of Prometheus reads. */
export function seriesIn(expression: string): string[] {
  return expression.match(/\b(?:toolwright_server|mcp_server)_\w+/g) ?? [];
}
