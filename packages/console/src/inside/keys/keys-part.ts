import type { ServerOperator } from '@toolwright/core/operate';
import { ConsoleRefusal } from '../../api/console-api.js';
import type { ApiKey, UserGrant } from '@toolwright/json';
import type { KeysApi } from '../../api/keys-api.js';
import { orRefuse } from '../or-refuse.js';
import type { Part, PartHost } from '../part.js';

/** How many of each are shown. The newest ones. */
const MOST = 500;

/** Shows the API keys and the grants of a server, and makes and ends them. The package that keeps them does the work. */
export function keysPart(host: PartHost): Part<keyof KeysApi> {
  const operator = (id: string, by: string): ServerOperator => host.server(id).operate(by);
  return {
    async keysAndGrants({ server }, by) {
      const asked = operator(server, by);
      const list = async <T>(name: string) =>
        asked.methods.includes(name) ? ((await orRefuse(asked.ask(name))) as readonly T[]) : undefined;
      const keys = await list<ApiKey>('keys.list');
      const grants = await list<UserGrant>('grants.list');
      return {
        ...(keys && { keys: keys.slice(-MOST).reverse() }),
        ...(grants && { grants: grants.slice(-MOST).reverse() }),
        counts: { keys: keys?.length ?? 0, grants: grants?.length ?? 0 },
      };
    },
    async createKey({ server, subject, tenant, scopes, name, days }, by) {
      const wish = {
        subject,
        scopes,
        ...(tenant !== undefined && { tenant }),
        ...(name !== undefined && { name }),
        lifetime: days === undefined ? false : `${days}d`,
      };
      const { id, key } = (await orRefuse(operator(server, by).ask('keys.create', wish))) as {
        id: string;
        key: string;
      };
      return { id, key };
    },
    async revokeKey({ server, id }, by) {
      if (await orRefuse(operator(server, by).ask('keys.revoke', { id }))) return {};
      throw new ConsoleRefusal('There is no such key any more.');
    },
    async revokeGrant({ server, id }, by) {
      const done = await orRefuse(operator(server, by).ask('grants.revoke', { id }));
      if (!done) throw new ConsoleRefusal('There is no such grant any more.');
      return done as Awaited<ReturnType<KeysApi['revokeGrant']>>;
    },
  };
}
