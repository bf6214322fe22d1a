import {
  McpPrompt,
  McpResource,
  McpService,
  McpTool,
  type McpServer,
  type ServerOptions,
} from '@toolwright/core';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot, problemsOf } from './support/booting.js';
import { StatelessWire } from './wire/stateless-wire.js';

const isFrom = (tenant: string) => (principal: { tenant?: string } | undefined) =>
  principal?.tenant === tenant;

@McpService({ for: isFrom('acme') })
class AcmeTools {
  @McpTool({ name: 'ship' })
  ship(): string {
    return 'by truck';
  }
  @McpTool({ name: 'acme_only' })
  acmeOnly(): string {
    return 'acme';
  }
  @McpResource({ name: 'plan', uri: 'plan://now' })
  plan(): string {
    return 'plan of acme';
  }
  @McpPrompt({ name: 'greet' })
  greet(who: string): string {
    return `Dear ${who} of acme`;
  }
}

@McpService({ for: isFrom('blue') })
class BlueTools {
  @McpTool({ name: 'ship' })
  ship(): string {
    return 'by boat';
  }
}

@McpService()
class CommonTools {
  @McpTool({ name: 'ship' })
  ship(): string {
    return 'by mail';
  }
}

/** Inherits the methods, and is for other callers. */
@McpService({ for: isFrom('green') })
class GreenTools extends AcmeTools {}

const methods = { ship: [], acmeOnly: [], plan: [], greet: ['who'] };
const manifest = handMadeManifest(
  { file: 'src/acme.ts', name: 'AcmeTools', methods },
  { file: 'src/green.ts', name: 'GreenTools', methods },
  { file: 'src/blue.ts', name: 'BlueTools', methods: { ship: [] } },
  { file: 'src/common.ts', name: 'CommonTools', methods: { ship: [] } },
);

let server: McpServer | undefined;
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

async function start(options: Partial<ServerOptions>): Promise<(tenant: string) => StatelessWire> {
  server = await boot({ manifest, ...options });
  return (tenant) =>
    new StatelessWire(server!, {
      principal: { subject: 'ann', tenant, scopes: [] } as never,
      ip: undefined,
      transport: 'memory',
    });
}

const textOf = ({ result }: { result?: any }) => result.content[0].text as string;
const namesOf = async (wire: StatelessWire) =>
  ((await wire.request('tools/list')) as any).result.tools.map(
    ({ name }: { name: string }) => name,
  ) as string[];

describe('classes for callers of their own', () => {
  test('may have tools with one name, and each caller gets its own', async () => {
    const of = await start({ services: [AcmeTools, BlueTools, GreenTools] });
    expect(textOf(await of('acme').call('ship'))).toBe('by truck');
    expect(textOf(await of('blue').call('ship'))).toBe('by boat');
    expect(textOf(await of('green').call('acme_only'))).toBe('acme');
  });

  test('do not exist for others, of whatever kind', async () => {
    const of = await start({ services: [AcmeTools, BlueTools] });
    expect(await namesOf(of('acme'))).toEqual(['ship', 'acme_only']);
    expect(await namesOf(of('blue'))).toEqual(['ship']);
    expect(await namesOf(of('none'))).toEqual([]);
    const stranger = of('blue');
    const answers = await Promise.all([
      stranger.call('acme_only'),
      stranger.request('resources/read', { uri: 'plan://now' }),
      stranger.request('prompts/get', { name: 'greet', arguments: { who: 'you' } }),
    ]);
    for (const answer of answers) expect(answer).toHaveProperty('error.code', -32602);
    expect(((await stranger.request('resources/list')) as any).result.resources).toEqual([]);
    expect(((await stranger.request('prompts/list')) as any).result.prompts).toEqual([]);
  });

  test('do not stand beside a class for everybody with the same name', async () => {
    const problems = await problemsOf({ manifest, services: [AcmeTools, CommonTools] });
    expect(problems.map(({ code }) => code)).toEqual(['TW_NAME_DUPLICATE']);
  });

  test('are removed and replaced alone', async () => {
    const of = await start({ services: [AcmeTools, BlueTools] });
    await server!.services.remove(AcmeTools);
    expect(await namesOf(of('acme'))).toEqual([]);
    expect(textOf(await of('blue').call('ship'))).toBe('by boat');
    await server!.services.replace(new Map([[BlueTools, AcmeTools]]));
    expect(await namesOf(of('blue'))).toEqual([]);
    expect(textOf(await of('acme').call('ship'))).toBe('by truck');
  });

  test('are refused where the option is no function', async () => {
    @McpService({ for: 'acme' as never })
    class Wrong {
      @McpTool()
      ship(): string {
        return '';
      }
    }
    const problems = await problemsOf({ manifest, services: [Wrong] });
    expect(problems.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/"for".* a function/),
    );
  });
});
