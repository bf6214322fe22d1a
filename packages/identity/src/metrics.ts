/** The metrics of this package: kind, unit and description, as in the table of core. */
export const identityMetrics = {
  'mcp.server.approvals': ['counter', '{question}', 'How questions ended that a person answers on a page'],
  'toolwright.server.identity.tokens': [
    'counter',
    '{token}',
    'Tokens that tools asked for, by the way and the outcome',
  ],
  'toolwright.server.identity.grants': [
    'counter',
    '{question}',
    'How questions ended that ask users for a grant',
  ],
  'toolwright.server.identity.decisions': [
    'counter',
    '{decision}',
    'Decisions of a policy engine, by outcome and source',
  ],
  'toolwright.server.identity.tenant.duration': [
    'histogram',
    's',
    'Duration of the calls of each tenant, of few tenants by name',
  ],
} as const;
