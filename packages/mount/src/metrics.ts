/** The metrics of this package: kind, unit and description, as in the table of core. */
export const mountMetrics = {
  'toolwright.server.mount.calls': ['counter', '{call}', 'Calls of mounted servers, by mount and outcome'],
} as const;
