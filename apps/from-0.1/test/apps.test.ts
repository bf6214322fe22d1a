import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMcpServer, type ServerOptions } from '@toolwright/core';
import { type HttpService, serveHttp, type ServeHttpOptions } from '@toolwright/express';
import { connect } from '@toolwright/testing';
import { referees } from '../../pages/test/referees.js';
import { builtFile, StartedApp } from '../../pages/test/started-app.js';
import { bearerTokens, hashToken } from '../fixtures/gallery/callers/bearer-tokens.js';
import { Accounts } from '../fixtures/gallery/confirmation/accounts.js';
import { TransferTools } from '../fixtures/gallery/confirmation/transfer-tools.js';
import { FeatureSwitches } from '../fixtures/gallery/switches/feature-switches.js';
import { isOffered } from '../fixtures/gallery/switches/is-offered.js';
import { ReportTools } from '../fixtures/gallery/switches/report-tools.js';

const run = promisify(execFile);
const built = (file: string) => builtFile('from-0.1', file);

describe('an app that create-toolwright 0.1.0 wrote', () => {
  test('passes its own tests', async () => {
    const { stdout } = await run(process.execPath, ['--test', built('notes/note-tools.test.js')]);
    expect(stdout).toMatch(/^# pass 2$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });

  test('serves over HTTP to callers with a token alone, and warns of the names that moved', async () => {
    const app = await StartedApp.start(built('notes/main.js'), {
      MCP_RESOURCE: 'https://notes.example',
      MCP_ISSUER: 'https://issuer.example',
    });
    const { status, headers } = await fetch(app.url, { method: 'POST', body: '{}' });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('resource_metadata=');
    await app.stop();
    const warnings = app.stderr.filter((line) => line.includes('DeprecationWarning'));
    expect(warnings).toEqual([
      expect.stringMatching(
        /\[TWDEP002\].* oauthResourceServer of @toolwright\/express is now in @toolwright\/http\./,
      ),
      expect.stringMatching(/\[TWDEP003\].* serveHttp of @toolwright\/express is now in @toolwright\/http\./),
    ]);
  });

  test.each(referees)('answers $name over stdio', async (referee) => {
    const client = await referee.connect({
      command: process.execPath,
      args: [built('notes/main.js'), '--stdio'],
      env: { PATH: process.env['PATH'] ?? '' },
    });
    try {
      await client.callTool('add_note', { text: 'Buy milk.' });
      expect(await client.callTool('find_notes', { query: 'milk' })).toMatchObject({
        structuredContent: { notes: [{ id: 1, text: 'Buy milk.' }] },
      });
    } finally {
      await client.close();
    }
  });
});

describe('an Express app that 0.1.0 was mounted in', () => {
  let app: StartedApp;

  beforeAll(async () => (app = await StartedApp.start(built('bookshop/main.js'))));
  afterAll(() => app.stop());

  test.each(referees)('answers $name beside its own routes', async (referee) => {
    const client = await referee.connect({ url: new URL('/mcp', app.url) });
    const { structuredContent } = await client.callTool('find_books', { text: 'moby' });
    await client.close();
    const own = await fetch(new URL('/books?q=moby', app.url));
    expect((structuredContent as { books: object[] }).books).toEqual(await own.json());
  });

  test('uses no name that moved', () => {
    expect(app.stderr.filter((line) => line.includes('DeprecationWarning'))).toEqual([]);
  });
});

describe('topics of the gallery of 0.1.0', () => {
  const open: HttpService[] = [];
  afterEach(() => Promise.all(open.splice(0).map((http) => http.close())));

  async function serve(
    options: Partial<ServerOptions>,
    http: Omit<ServeHttpOptions, 'port'> = {},
  ): Promise<URL> {
    const server = await createMcpServer({ name: 'topic', version: '1.0.0', ...options });
    const service = await serveHttp(server, { port: 0, signals: false, ...http });
    open.push(service);
    return new URL(service.url);
  }

  test.each(referees)('ask the user of $name', async (referee) => {
    const url = await serve({ services: [TransferTools], providers: [Accounts] });
    const client = await referee.connect({ url }, { answer: () => ({ amount: 20_000 }) });
    const transfer = { from: 'current', to: 'savings', amount: 50_000 };
    expect(await client.callTool('transfer_money', transfer)).toMatchObject({
      structuredContent: { done: true, balance: 130_000 },
    });
    await client.close();
  });

  test.each(referees)('show $name the tools of its role', async (referee) => {
    const switches = new FeatureSwitches();
    const callers = { [hashToken('key')]: { subject: 'Ada', scopes: [], claims: { role: 'admin' } } };
    const url = await serve(
      {
        services: [ReportTools],
        providers: [{ provide: FeatureSwitches, useValue: switches }],
        authorize: isOffered(switches),
      },
      { authenticate: bearerTokens(callers) },
    );
    const namesFor = async (headers: Record<string, string>) => {
      const client = await referee.connect({ url }, { headers });
      const { tools } = await client.listTools();
      await client.close();
      return tools.map(({ name }) => name).sort();
    };
    expect(await namesFor({})).toEqual(['list_reports']);
    switches.set('summaries', true);
    expect(await namesFor({ authorization: 'Bearer key' })).toEqual([
      'delete_report',
      'list_reports',
      'summarize_report',
      'switch_feature',
    ]);
  });
});

describe('a name that goes', () => {
  const script = (body: string) => `
    const { createMcpServer } = require('@toolwright/core');
    const { capabilitiesOf, openClient } = require('@toolwright/testing');
    const { mcpHealth } = require('@toolwright/express');
    (async () => { ${body} })();`;

  async function warningsOf(body: string, ...flags: string[]): Promise<string[]> {
    const { stderr } = await run(process.execPath, [...flags, '--eval', script(body)], {
      cwd: join(__dirname, '..'),
    });
    return [...stderr.matchAll(/\[(TWDEP\d{3})\] DeprecationWarning/g)].map(([, code]) => code!);
  }

  const boot = `await (await createMcpServer({ name: 'a', version: '1', audit: false, legacy: true })).close();`;

  test.each([
    ['TWDEP001', `mcpHealth(await createMcpServer({ name: 'a', version: '1', audit: false }));`],
    ['TWDEP004', `capabilitiesOf({});`],
    ['TWDEP005', `await openClient(() => { throw new Error(); }).catch(() => {});`],
    ['TWDEP006', boot],
  ])('is told as %s, once in each process', async (code, body) => {
    expect(await warningsOf(body + body)).toEqual([code]);
  });

  test('is silent where nobody uses it', async () => {
    expect(await warningsOf('')).toEqual([]);
  });

  test('is found by tests that let Node.js throw', async () => {
    await expect(warningsOf(boot, '--throw-deprecation')).rejects.toThrow('called "stateful"');
  });
});
