/** The metrics of this package: kind, unit and description, as in the table of core. Its name is older than the package. */
export const scheduleMetrics = {
  'toolwright.server.schedule.ticks': [
    'counter',
    '{tick}',
    'Moments at which a schedule was due, by what became of them.',
  ],
} as const;
