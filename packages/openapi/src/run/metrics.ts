/** The metrics of this package: kind, unit and description, as in the table of core. */
export const openApiMetrics = {
  'toolwright.server.api.duration': [
    'histogram',
    's',
    'Duration of requests that tools send to APIs, with all attempts.',
  ],
} as const;
