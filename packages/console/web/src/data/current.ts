import type { Identity } from '../../../src/api/surface-api.js';
import type { Overview, ServerSummary } from '../../../src/api/overview-api.js';
import { useAsk } from './ask.js';
import { Setting, useSetting } from './setting.js';

const serverSetting = new Setting<string | undefined>('server', undefined);

/** Whom the console plays. `undefined`: an anonymous caller. It is forgotten with the tab. */
export const identitySetting = new Setting<Identity | undefined>('identity', undefined, sessionStorage);

export function useOverview(): Overview | undefined {
  return useAsk('overview', {}).data;
}

/** The server that the person looks at, and how to look at another one. */
export function useServer(): [ServerSummary | undefined, (id: string) => void] {
  const overview = useOverview();
  const [chosen, choose] = useSetting(serverSetting);
  const servers = overview?.servers ?? [];
  return [servers.find(({ id }) => id === chosen) ?? servers[0], choose];
}

export function useIdentity(): [Identity | undefined, (identity: Identity | undefined) => void] {
  return useSetting(identitySetting);
}

/** What the current caller sees of the current server. */
export function useSurface() {
  const [server] = useServer();
  const [as] = useIdentity();
  return useAsk('surface', server && { server: server.id, ...(as && { as }) });
}
