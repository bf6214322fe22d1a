import { type ApiKeys, apiKeys } from '@toolwright/identity';
import { type OpenedStores, openStores } from './open-stores.js';

/**
 * The API keys of this server, and the stores that keep them.
 *
 * @param folder the folder of the data
 */
export async function openKeys(folder: string): Promise<{ keys: ApiKeys; shared: OpenedStores }> {
  const shared = await openStores(folder);
  return { keys: apiKeys({ records: shared.stores.records, secrets: shared.secrets }), shared };
}
