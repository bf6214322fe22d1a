import {
  Catch,
  Injectable,
  VersioningType,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { oauthResourceServer } from '@toolwright/http';
import { call, send } from '../../http/test/support/wire.js';
import type { McpHttpRequest, McpModuleOptions, McpRouteOptions } from '../src/index.js';
import { McpServerHost } from '../src/index.js';
import { callTool, closeApps, mcp, platforms, serve } from './support/apps.js';

afterEach(closeApps);

class NotSignedIn extends Error {}

@Catch(NotSignedIn)
class SignInFilter implements ExceptionFilter {
  catch(_error: NotSignedIn, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse();
    response.status(401).send({ mine: 'Sign in' });
  }
}

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    request.user = request.headers['x-user'];
    return request.user !== undefined;
  }
}

describe.each(platforms)('on $name', (platform) => {
  async function serveWhoami(
    options: Partial<McpModuleOptions> & McpRouteOptions = {},
    configure?: (app: INestApplication) => void,
  ): Promise<string> {
    const { app, url } = await serve(platform, { imports: [mcp(options)] }, configure);
    app.get(McpServerHost).server.tools.add({
      name: 'whoami',
      description: 'Who calls.',
      handler: (_args, { principal }) => principal?.subject ?? 'nobody',
    });
    return url;
  }

  test('the path is below the global prefix, and has no version', async () => {
    const url = await serveWhoami({ path: 'tools' }, (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    });
    expect(await callTool(url, 'whoami', {}, { path: '/api/tools' })).toBe('nobody');
    for (const path of ['/tools', '/api/tools/below', '/api/v1/tools'])
      expect(await callTool(url, 'whoami', {}, { path })).toBe(404);
  });

  test('`path: false` opens no route', async () => {
    expect(await callTool(await serveWhoami({ path: false }), 'whoami')).toBe(404);
  });

  test('the guards of the endpoint run for each request, and `principal` reads what they have found', async () => {
    const principal = (request: McpHttpRequest) => ({ subject: request.user as string, scopes: [] });
    const url = await serveWhoami({ guards: [UserGuard], http: { principal } });
    expect(await callTool(url, 'whoami', {}, { headers: { 'x-user': 'ada' } })).toBe('ada');
    expect(await callTool(url, 'whoami')).toBe(403);
  });

  test('an error of `principal` goes to the exception filters', async () => {
    const principal = () => Promise.reject(new NotSignedIn());
    const url = await serveWhoami({ http: { principal } }, (app) => app.useGlobalFilters(new SignInFilter()));
    const answer = await send(url, { ...call('whoami'), path: '/mcp' });
    expect([answer.status, answer.json]).toEqual([401, { mine: 'Sign in' }]);
  });

  test('middleware and its headers apply', async () => {
    const url = await serveWhoami({}, (app) =>
      app.use(
        (_request: unknown, response: { setHeader(name: string, value: string): void }, next: () => void) => {
          response.setHeader('x-frame-options', 'DENY');
          next();
        },
      ),
    );
    const answer = await send(url, { ...call('whoami'), path: '/mcp' });
    expect([answer.status, answer.headers['x-frame-options']]).toEqual([200, 'DENY']);
  });

  test('headers that a guard has set are sent', async () => {
    const guard: CanActivate = {
      canActivate: (context) => (context.switchToHttp().getResponse().header('x-plan', 'free'), true),
    };
    const url = await serveWhoami({ guards: [guard] });
    const answer = await send(url, { ...call('whoami'), path: '/mcp' });
    expect([answer.status, answer.headers['x-plan']]).toEqual([200, 'free']);
  });

  test('the page that OAuth needs is at the root', async () => {
    const oauth = oauthResourceServer({
      resource: 'https://shop.example.com/api/mcp',
      issuers: ['https://login.example.com'],
    });
    const url = await serveWhoami({ http: { oauth } }, (app) => app.setGlobalPrefix('api'));
    const asked = await send(url, { ...call('whoami'), path: '/api/mcp' });
    expect([asked.status, asked.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining(oauth.metadataUrl),
    ]);
    const { pathname } = new URL(oauth.metadataUrl);
    expect((await send(url, { method: 'GET', path: pathname })).json.resource).toBe(
      'https://shop.example.com/api/mcp',
    );
  });

  test('the address of a caller follows the option `ip`', async () => {
    const seen: unknown[] = [];
    const ip = (request: McpHttpRequest) => request.headers['x-real-ip'] as string;
    const middleware: McpModuleOptions['middleware'] = [
      ({ request }, next) => (seen.push(request.ip), next()),
    ];
    await callTool(await serveWhoami({ middleware }), 'whoami');
    await callTool(
      await serveWhoami({ middleware, http: { ip } }),
      'whoami',
      {},
      { headers: { 'x-real-ip': '192.0.2.7' } },
    );
    expect(seen).toEqual(['127.0.0.1', '192.0.2.7']);
  });
});
