/** The metrics of links to files: kind, unit and description, as in the table of core. */
export const transferMetrics = {
  'toolwright.server.transfers': [
    'counter',
    '{transfer}',
    'Files that were asked for or sent by a link, by direction and outcome',
  ],
} as const;
