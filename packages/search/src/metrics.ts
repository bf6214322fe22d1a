/** Each metric of this package: its kind, its unit, and what it measures. docs/telemetry.md has the same. */
export const searchMetrics = {
  'toolwright.server.search.queries': ['counter', '{query}', 'Searches for tools, by outcome'],
} as const;
