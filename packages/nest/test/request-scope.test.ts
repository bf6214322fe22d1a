import {
  Global,
  Inject,
  Injectable,
  Module,
  Scope,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { McpService, McpTool } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { handMadeManifest } from '../../core/test/packages/hand-made-manifest.js';
import { McpServerHost } from '../src/index.js';
import { callTool, closeApps, mcp, platforms, serve } from './support/apps.js';

afterEach(closeApps);

const file = 'src/tools.ts';
const manifest = handMadeManifest(
  { file, name: 'DeskTools', methods: { desk: [] } },
  { file, name: 'Chosen', methods: { choose: [] } },
);

let built = 0;
beforeEach(() => void (built = 0));

@Injectable({ scope: Scope.REQUEST })
class Tenant {
  readonly number = ++built;
  constructor(@Inject(REQUEST) private readonly request: { headers?: Record<string, string> } | undefined) {}
  get name() {
    return this.request?.headers?.['x-tenant'] ?? 'nobody';
  }
}

describe.each(platforms)('on $name', (platform) => {
  test('an instance is built for each request, and gets the request of the platform', async () => {
    @Injectable()
    class DeskTools {
      constructor(private readonly tenant: Tenant) {}
      @McpTool()
      desk(): string {
        return `${this.tenant.name} ${this.tenant.number}`;
      }
    }
    const { url, app } = await serve(platform, {
      imports: [mcp({ manifest })],
      providers: [DeskTools, Tenant],
    });
    expect(built).toBe(0);
    const as = (tenant: string) => callTool(url, 'desk', {}, { headers: { 'x-tenant': tenant } });
    expect([await as('acme'), await as('umbra')]).toEqual(['acme 1', 'umbra 2']);
    const client = await connect(app.get(McpServerHost).server);
    expect(await client.callText('desk')).toBe('nobody 3');
    await client.close();
  });
});

test('everything that one call needs shares its instances, and so does a guard of the route', async () => {
  const seen: string[] = [];
  @Injectable()
  class Noting implements CanActivate {
    constructor(private readonly tenant: Tenant) {}
    canActivate(context: ExecutionContext) {
      seen.push(`${context.getType()} ${this.tenant.number}`);
      return true;
    }
  }
  @Injectable()
  class DeskTools {
    constructor(private readonly tenant: Tenant) {}
    @McpTool()
    @UseGuards(Noting)
    desk(): string {
      return String(this.tenant.number);
    }
  }
  const { url } = await serve(platforms[0]!, {
    imports: [mcp({ manifest })],
    providers: [DeskTools, Tenant],
  });
  expect([await callTool(url, 'desk'), await callTool(url, 'desk')]).toEqual(['1', '2']);
  expect(seen).toEqual(['mcp 1', 'mcp 2']);

  @Module({ providers: [Tenant], exports: [Tenant] })
  class TenantModule {}
  @Global()
  @Module({ imports: [TenantModule], exports: [TenantModule] })
  class Everywhere {}
  seen.length = built = 0;
  const guarded = await serve(platforms[0]!, {
    imports: [Everywhere, mcp({ manifest, guards: [Noting] })],
    providers: [DeskTools],
  });
  expect(await callTool(guarded.url, 'desk')).toBe('1');
  expect(seen).toEqual(['http 1', 'mcp 1']);
});

test('the server does not start if a class has a scope of ours that Nest does not have', async () => {
  @McpService({ scope: 'session' })
  @Injectable()
  class Chosen {
    @McpTool()
    choose(): string {
      return '';
    }
  }
  const started = serve(platforms[0]!, { imports: [mcp({ manifest })], providers: [Chosen] });
  await expect(started).rejects.toThrow(/Chosen declares the scope 'session'/);
});
