import { capabilitiesOf, extensionsOf } from '../revisions/capabilities.js';
import type { Method } from '../engine.js';

/** What the server is and can do (2026-07-28 server/discover). Names only revisions that the envelope can ask for. */
export const serverDiscover: Method = {
  name: 'server/discover',
  handle({ engine: { host, settings, revisions, tasks }, codec }) {
    const body = {
      supportedVersions: revisions.stateless,
      capabilities: {
        ...capabilitiesOf(host.registry, codec.features),
        ...extensionsOf(host.registry, { features: codec.features, hasTasks: tasks.areOffered }),
      },
      instructions: host.instructions,
    };
    return codec.result(body, { ttlMs: settings.listTtlMs, cacheScope: 'public' });
  },
};
