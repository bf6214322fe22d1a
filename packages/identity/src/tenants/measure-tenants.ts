import type { McpServer } from '@toolwright/core';
import { extend, type Extension } from '@toolwright/core/extend';
import { optionRules, type OptionSchema, parseOptions } from '@toolwright/core/options';
import { identityMetrics } from '../metrics.js';

const DURATION = 'toolwright.server.identity.tenant.duration';

export interface MeasureTenantsOptions {
  /** How many tenants have a series of their own. All others together have the series `others`. Default 100. */
  most?: number;
  /** What a tenant is called in metrics, such as its plan. `undefined` counts it among the others. Default: its name. */
  nameOf?: (tenant: string) => string | undefined;
}

const { callback, positiveCount } = optionRules;

const measureOptions = {
  most: { ...positiveCount, default: 100 },
  nameOf: callback,
} satisfies OptionSchema<MeasureTenantsOptions>;

/** Behind the audit, so that what guards refuse counts, too. */
const MEASURES_AT = 15;
const OTHERS = 'others';

/**
 * Measures the calls of each tenant for OpenTelemetry. Series are few, whoever opens accounts: the first tenants that call have
 * one each in this process, and all others have one together.
 *
 * @throws {ConfigurationError} for a wrong option
 * @example
 * await measureTenants(server, { most: 50 });
 */
export async function measureTenants(server: McpServer, given: MeasureTenantsOptions = {}): Promise<void> {
  const { most, nameOf } = parseOptions('measureTenants', measureOptions, given);
  await extend(server, tenantMetrics(new TenantNames(most, nameOf)));
}

const tenantMetrics = (names: TenantNames): Extension => ({
  name: '@toolwright/identity tenants',
  hasSettings: true,
  start({ duration }) {
    const [, , description] = identityMetrics[DURATION];
    const measure = duration(DURATION, description);
    return {
      guards: [
        {
          name: 'tenant measure',
          position: MEASURES_AT,
          summary: 'Measures the call for its tenant.',
          plan: () => ({
            async step({ request: { principal } }, next) {
              const tenant = principal?.tenant;
              if (tenant === undefined) return next();
              const began = performance.now();
              try {
                return await next();
              } finally {
                measure((performance.now() - began) / 1_000, { 'toolwright.tenant': names.of(tenant) });
              }
            },
          }),
        },
      ],
    };
  },
});

/** The names of tenants in metrics: few, and the same as long as the process lives. */
class TenantNames {
  readonly #known = new Set<string>();

  constructor(
    private readonly most: number,
    private readonly nameOf: ((tenant: string) => string | undefined) | undefined,
  ) {}

  of(tenant: string): string {
    const name = this.#nameOf(tenant);
    if (typeof name !== 'string' || name === '') return OTHERS;
    if (!this.#known.has(name)) {
      if (this.#known.size >= this.most) return OTHERS;
      this.#known.add(name);
    }
    return name;
  }

  /** A function that throws must not fail a call that has ended. */
  #nameOf(tenant: string): string | undefined {
    if (!this.nameOf) return tenant;
    try {
      return this.nameOf(tenant);
    } catch {
      return undefined;
    }
  }
}
