/** Each metric of this package: its kind, its unit, and what it measures. docs/telemetry.md has the same. */
export const mountMetrics = {
  'toolwright.server.mount.calls': ['counter', '{call}', 'Calls of mounted servers, by mount and outcome'],
  'toolwright.server.mount.findings': [
    'counter',
    '{finding}',
    'Changes of mounted servers that are held back, and descriptions that somebody should read',
  ],
} as const;
