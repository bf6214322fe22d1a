import type { Principal } from '@toolwright/core';
import type { TestUser } from '@toolwright/identity/dev';
import type { Database } from '../database/database.js';

/** What a tenant pays for. */
export type Plan = 'free' | 'pro';

/** A company that uses the desk. */
export interface Tenant {
  readonly name: string;
  readonly plan: Plan;
}

/** The companies that the table `tenants` has. */
export class TenantStore {
  constructor(private readonly database: Database) {}

  async find(id: string): Promise<Tenant | undefined> {
    const [tenant] = await this.database.query<Tenant>(`select name, plan from tenants where id = $1`, [id]);
    return tenant;
  }
}

/** Points a minute that all users of a tenant have together, over all tools. */
const points: Readonly<Record<Plan, number>> = { free: 60, pro: 600 };

/** How many points a minute the caller's tenant has. A tenant that is not known has none. The server asks once a minute. */
export const pointsFrom = (tenants: TenantStore) => async (principal: Principal | undefined) => {
  const tenant = await tenants.find(principal?.tenant ?? '');
  return tenant ? points[tenant.plan] : 0;
};

export const deskScopes = ['tickets:read', 'tickets:write', 'refunds:ask'];

const agent = [...deskScopes, 'billing:read', 'billing:refund'];
const lead = [...agent, 'refunds:approve'];

/** Who works at the desk. The issuer knows them, and puts their tenant into the claim `org` of each token. */
export const staff: readonly TestUser[] = [
  { subject: 'ann', name: 'Ann, agent at Acme', scopes: agent, claims: { org: 'acme' } },
  { subject: 'bea', name: 'Bea, team lead at Acme', scopes: lead, claims: { org: 'acme' } },
  { subject: 'eve', name: 'Eve, auditor at Acme', scopes: ['tickets:read'], claims: { org: 'acme' } },
  { subject: 'gil', name: 'Gil, agent at Globex', scopes: agent, claims: { org: 'globex' } },
  { subject: 'hal', name: 'Hal, team lead at Globex', scopes: lead, claims: { org: 'globex' } },
];

/** Who may have a ticket of this tenant. */
export function agentsOf(tenant: string): { subject: string; name: string }[] {
  return staff
    .filter(({ claims, scopes }) => claims?.['org'] === tenant && scopes.includes('tickets:write'))
    .map(({ subject, name = subject }) => ({ subject, name }));
}
