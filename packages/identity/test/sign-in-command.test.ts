import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ProjectFolder, programs } from '../../cli/test/support/project-folder.js';
import { type DevIssuer, startDevIssuer } from '../src/dev.js';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.js';
import { Person } from './support/person.js';
import { quietProvider } from './support/quiet-provider.js';

quietProvider();

let project: ProjectFolder;
let app: GuardedApp;
let issuer: DevIssuer;

beforeAll(async () => {
  project = new ProjectFolder();
  project.link('node_modules/@toolwright/identity', 'packages/identity');
  app = await startGuardedApp();
  issuer = await startDevIssuer({ resource: app.endpoint });
  app.trust(issuer.issuer);
  const servers = { guarded: { type: 'http', url: app.endpoint } };
  project.write('.mcp.json', JSON.stringify({ mcpServers: servers }));
  const { code, stdout } = await signIn(app.endpoint);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `Signed in for ${app.endpoint} at ${issuer.issuer}.\n`,
  });
});

afterAll(async () => {
  await issuer.close();
  await app.close();
  project.remove();
});

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const own = {
    PATH: process.env['PATH'],
    HOME: project.folder,
    USERPROFILE: project.folder,
    APPDATA: project.folder,
  };
  return spawn(process.execPath, [programs.toolwright, ...args], {
    cwd: project.folder,
    env: { ...own, ...env },
  });
}

async function endOf(child: ChildProcessWithoutNullStreams) {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: code as number, stdout, stderr };
}

const toolwright = (...args: string[]) => endOf(start(args));

/** A person reads the page on the screen and signs in there, as ann. The browser then opens the way back. */
async function signIn(server: string) {
  const child = start(['login', server, '--no-browser']);
  let seen = '';
  const page = /^ {2}(http\S+)\n/m;
  child.stderr.on('data', (chunk: Buffer) => {
    const isKnown = page.test(seen);
    seen += chunk.toString();
    const address = page.exec(seen)?.[1];
    if (!isKnown && address !== undefined) void new Person('ann').signIn(address).then((back) => fetch(back));
  });
  return endOf(child);
}

const file = () =>
  project.path(
    process.platform === 'win32'
      ? 'toolwright/tokens.json'
      : process.platform === 'darwin'
        ? 'Library/Application Support/toolwright/tokens.json'
        : '.config/toolwright/tokens.json',
  );
const kept = () => (JSON.parse(readFileSync(file(), 'utf8')) as { tokens: Record<string, unknown>[] }).tokens;
const endToken = () =>
  writeFileSync(file(), JSON.stringify({ tokens: kept().map((each) => ({ ...each, expiresAt: 0 })) }));

test('after a sign-in, calls are made as that person, by the address and by the name', async () => {
  expect(await toolwright('call', '--url', app.endpoint, 'read_note')).toMatchObject({
    code: 0,
    stdout: 'read_note by ann',
  });
  expect((await toolwright('call', '--server', 'guarded', 'whoami')).stdout).toBe('whoami by ann');
});

test('the token is in a file of this person alone, and on no screen', async () => {
  if (process.platform !== 'win32') expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(kept()).toHaveLength(1);
  const { stdout, stderr } = await toolwright('list', '--url', app.endpoint, '--json');
  for (const secret of [kept()[0]!['accessToken'], kept()[0]!['refreshToken']]) {
    expect(typeof secret).toBe('string');
    expect(stdout + stderr).not.toContain(secret);
  }
});

test('a token that has ended is renewed, once, however many commands need it', async () => {
  const [before] = kept();
  endToken();
  const all = await Promise.all([1, 2, 3].map(() => toolwright('call', '--url', app.endpoint, 'whoami')));
  expect(all.map(({ stdout }) => stdout)).toEqual(Array(3).fill('whoami by ann'));
  const [after] = kept();
  expect(after!['accessToken']).not.toBe(before!['accessToken']);
  endToken();
  expect((await toolwright('call', '--url', app.endpoint, 'whoami')).stdout).toBe('whoami by ann');
});

test('no other origin gets the token, and a header that somebody gives comes first', async () => {
  const seen: (string | undefined)[] = [];
  const other = createServer((req, res) => {
    seen.push(req.headers.authorization);
    res.writeHead(500).end();
  });
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await toolwright('list', '--url', `http://127.0.0.1:${port}/mcp`);
  await toolwright('list', '--url', app.endpoint.replace('127.0.0.1', 'localhost'));
  other.close();
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual(seen.map(() => undefined));
  const { stderr } = await toolwright('list', '--url', app.endpoint, '-H', 'Authorization: Bearer wrong');
  expect(stderr).toContain('it does not accept this token. Call as a test user of toolwright dev: --as ann');
});

test('a file that others can read is not trusted', async () => {
  if (process.platform === 'win32') return;
  const { chmodSync } = await import('node:fs');
  chmodSync(file(), 0o644);
  const { code, stderr } = await toolwright('list', '--url', app.endpoint);
  chmodSync(file(), 0o600);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('so it is not trusted') });
});

test('where others could read a token, nobody signs in', async () => {
  const { code, stderr } = await toolwright('login', 'http://mcp.example.com/mcp', '--no-browser');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('neither https nor on this machine'),
  });
});

test('signing out ends the token here and at the issuer', async () => {
  const [token] = kept();
  expect(await toolwright('logout', 'guarded')).toMatchObject({
    code: 0,
    stdout: `Signed out at ${issuer.issuer}.\n`,
  });
  expect(kept()).toEqual([]);
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: String(token!['refreshToken']),
    client_id: (token!['client'] as { id: string }).id,
  });
  expect((await fetch(String(token!['tokenEndpoint']), { method: 'POST', body })).status).toBe(400);
  expect((await toolwright('list', '--url', app.endpoint)).stderr).toContain('it wants to know who calls');
  expect((await toolwright('logout', 'guarded')).stderr).toContain('There are: none.');
});
