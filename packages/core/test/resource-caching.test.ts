import { McpResource, McpResourceTemplate, McpService, type ServerOptions } from '@toolwright/core';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot, problemsOf } from './support/booting.js';
import { StatelessWire } from './wire/stateless-wire.js';

@McpService()
class Documents {
  @McpResource({ uri: 'doc://terms', cache: { ttl: 60_000, scope: 'public' } })
  terms(): string {
    return 'Be kind.';
  }

  @McpResourceTemplate({ uriTemplate: 'doc://{id}', cache: { ttl: 5_000 } })
  document(id: string): string {
    return id;
  }

  @McpResource({ uri: 'doc://today' })
  today(): string {
    return 'new';
  }
}

const manifest = handMadeManifest({
  file: 'src/documents.ts',
  name: 'Documents',
  methods: { terms: [], document: ['id'], today: [] },
});

async function hintsOf(uri: string, options: Partial<ServerOptions> = {}, params = {}) {
  const server = await boot({ services: [Documents], manifest, ...options });
  const { result } = await new StatelessWire(server).request('resources/read', { uri, ...params });
  await server.close(0);
  return [result.ttlMs, result.cacheScope];
}

describe('cache hints of resources', () => {
  it.each([
    ['doc://terms', 60_000, 'public'],
    ['doc://1', 5_000, 'private'],
    ['doc://today', 0, 'private'],
  ])('of %s are those of its decorator, otherwise none', async (uri, ttlMs, scope) => {
    expect(await hintsOf(uri)).toEqual([ttlMs, scope]);
  });

  it('are never public if access depends on the caller', async () => {
    expect(await hintsOf('doc://terms', { authorize: () => true })).toEqual([60_000, 'private']);
  });

  it('do not exist if answers of the client were used', async () => {
    expect(await hintsOf('doc://terms', {}, { inputResponses: {} })).toEqual([0, 'private']);
  });

  it('also work for resources that are added at run time', async () => {
    const server = await boot({});
    const handler = () => 'x';
    server.resources.add({ uri: 'x://a', name: 'a', handler, cache: { ttl: 1, scope: 'public' } });
    server.resourceTemplates.add({ uriTemplate: 'y://{b}', name: 'b', handler, cache: { ttl: 2 } });
    const wire = new StatelessWire(server);
    const read = async (uri: string) => (await wire.request('resources/read', { uri })).result.ttlMs;
    expect([await read('x://a'), await read('y://b')]).toEqual([1, 2]);
    await server.close(0);
  });

  it('without sense keep the server from starting', async () => {
    @McpService()
    class Wrong {
      @McpResource({ uri: 'doc://wrong', cache: { ttl: -1, scope: 'all' as never } })
      wrong(): string {
        return '';
      }
    }
    const made = handMadeManifest({ file: 'src/wrong.ts', name: 'Wrong', methods: { wrong: [] } });
    const [problem] = await problemsOf({ services: [Wrong], manifest: made });
    expect(problem).toMatchObject({ code: 'TW_OPTION_INVALID', location: expect.stringContaining('.ts:') });
  });
});
