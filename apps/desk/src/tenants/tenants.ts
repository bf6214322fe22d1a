import type { Principal } from '@toolwright/core';
import type { TestUser } from '@toolwright/identity/dev';

/** What a tenant pays for. */
export type Plan = 'free' | 'pro';

/** A company that uses the desk. */
export interface Tenant {
  readonly name: string;
  readonly plan: Plan;
}

/** In a real desk, this is a table. */
export const tenants: Readonly<Record<string, Tenant>> = {
  acme: { name: 'Acme Kettles', plan: 'pro' },
  globex: { name: 'Globex Logistics', plan: 'free' },
};

/** Points a minute that all users of a tenant have together, over all tools. */
const points: Readonly<Record<Plan, number>> = { free: 60, pro: 600 };

/** How many points a minute the caller's tenant has. A tenant that is not known has none. */
export function pointsOf(principal: Principal | undefined): number {
  const tenant = tenants[principal?.tenant ?? ''];
  return tenant ? points[tenant.plan] : 0;
}

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
