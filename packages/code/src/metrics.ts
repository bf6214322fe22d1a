/** Each metric of this package: its kind, its unit, and what it measures. docs/telemetry.md has the same. */
export const codeMetrics = {
  'toolwright.server.code.programs': ['counter', '{program}', 'Rounds of programs, by outcome'],
} as const;
