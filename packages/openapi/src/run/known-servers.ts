import { readUrl } from '@toolwright/json';
import type { ApiPlan } from '../model/plan-operations.js';
import { addressesIn } from '../report/import-report.js';
import type { ApiClientOptions } from './api-client.js';

type Named = Partial<Pick<ApiClientOptions, 'baseUrl' | 'servers'>>;

/**
 * The addresses of operations that may be asked. Their requests have the credentials of the client, so a line of the
 * specification is not enough: the author names them, or they are where the API is. An author who gives `baseUrl` has moved
 * the API, such as to a server for tests, and the servers of the specification count no more.
 */
export function knownServers(
  plan: ApiPlan,
  { baseUrl, servers = {} }: Named,
): Readonly<Record<string, string>> {
  const hosts = (baseUrl === undefined ? plan.addresses : [baseUrl]).map(originOf);
  const own = addressesIn(plan.operations)
    .map(({ address }) => address)
    .filter((address) => hosts.includes(originOf(address)));
  return { ...Object.fromEntries(own.map((address) => [address, address])), ...servers };
}

const originOf = (address: string) => readUrl(address)?.origin;

/** A line for each address that no request goes to. */
export const unknownServers = (plan: ApiPlan, servers: Readonly<Record<string, string>>): string[] =>
  addressesIn(plan.operations)
    .filter(({ address }) => !Object.hasOwn(servers, address))
    .map(
      ({ address, tools }) =>
        `No request goes to ${address}, so ${tools.length} tools fail, such as ${tools[0]}: the specification has this address for ` +
        'them alone. Name it in "servers", or exclude the operations.',
    );
