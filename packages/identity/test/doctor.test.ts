import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { mcpHttp } from '@toolwright/http';
import { startDevIssuer, type DevIssuer } from '../src/dev.js';
import { runDoctor, type DoctorValues } from '../src/commands.js';
import { diagnoseSignIn, diagnosisText, type Diagnosis } from '../src/doctor.js';
import { startGuardedApp } from './support/guarded-app.js';
import { Person } from './support/person.js';
import { diagnoseAt, openPlace, setClockOfIssuerBack } from './support/seeded-place.js';
import { type Seed, faults } from './support/sign-in-problems.js';
import { quietProvider } from './support/quiet-provider.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const close of closing.splice(0).reverse()) await close();
});

quietProvider();

async function issuerFor(resource: string): Promise<DevIssuer> {
  const issuer = await startDevIssuer({ resource });
  closing.push(() => issuer.close());
  return issuer;
}

async function diagnose(seed: Seed): Promise<Diagnosis> {
  const place = await openPlace(seed, 'http://127.0.0.1:9/callback');
  closing.push(() => place.close());
  return diagnoseAt(place, seed);
}

test.each(faults)('%s: the step %s, the fault of %s', async (name, step, responsible, code, seed) => {
  // The issuer asks Date for the time. The server has its own clock, which is right.
  if (name === 'wrong clock') setClockOfIssuerBack();
  const { failure, steps } = await diagnose(seed);
  expect({ code: failure?.code, step: failure?.step, responsible: failure?.responsible }).toEqual({
    code,
    step,
    responsible,
  });
  expect(steps.at(-1)).toMatchObject({ step, outcome: 'failed' });
  expect(steps.slice(0, -1).every(({ outcome }) => outcome === 'ok')).toBe(true);
  expect(failure!.advice).not.toBe('');
});

test('a sign-in that works has all steps in its time line, and no secret', async () => {
  const seen: string[] = [];
  const diagnosis = await diagnose({
    between: async (_place, _url, init, pass) => {
      const response = await pass();
      const text = await response.clone().text();
      for (const [, secret] of text.matchAll(/"(?:access_token|refresh_token|id_token)":"([^"]+)"/g))
        seen.push(secret!);
      for (const [, secret] of String(init.body ?? '').matchAll(/(?:code|code_verifier)=([^&]+)/g))
        seen.push(secret!);
      return response;
    },
  });
  expect(diagnosis).toMatchObject({ isSignedIn: true });
  expect(diagnosis.failure).toBeUndefined();
  expect(diagnosis.steps.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
    'endpoint ok',
    'metadata ok',
    'discovery ok',
    'registration ok',
    'authorize ok',
    'token ok',
    'call ok',
  ]);
  const text = diagnosisText(diagnosis) + JSON.stringify(diagnosis);
  expect(seen.length).toBeGreaterThan(2);
  for (const secret of seen) expect(text).not.toContain(secret);
  expect(text).toContain('The sign-in works.');
});

test('without a person, the diagnosis ends before the page of the issuer', async () => {
  const diagnosis = await diagnose({ doctor: () => ({ openPage: undefined as never }) });
  expect(diagnosis.isSignedIn).toBe(false);
  expect(diagnosis.failure).toBeUndefined();
  expect(diagnosis.steps.map(({ outcome }) => outcome)).toEqual([
    ...Array<string>(4).fill('ok'),
    ...Array<string>(3).fill('left out'),
  ]);
});

test('nothing answers at the address', async () => {
  const { failure } = await diagnoseSignIn('http://127.0.0.1:9/mcp');
  expect(failure).toMatchObject({ code: 'endpoint-unreachable', step: 'endpoint', responsible: 'server' });
});

async function diagnoseOpen(options: Parameters<typeof mcpHttp>[1]): Promise<Diagnosis> {
  const server = await createMcpServer({
    name: 'open',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
  });
  closing.push(() => server.close());
  const app = createServer(mcpHttp(server, options)).listen(0, '127.0.0.1');
  closing.push(() => Promise.resolve(app.close()));
  await once(app, 'listening');
  return diagnoseSignIn(`http://127.0.0.1:${(app.address() as AddressInfo).port}/mcp`);
}

test('a server without a sign-in lets the doctor in', async () => {
  expect(await diagnoseOpen({})).toMatchObject({ isSignedIn: true });
});

test('a server of Toolwright names the option for its hosts, and the doctor advises it', async () => {
  const { failure } = await diagnoseOpen({ allowedHosts: ['mcp.example.com'] });
  expect(failure).toMatchObject({ code: 'host-refused', step: 'endpoint' });
});

describe('the command', () => {
  async function run(values: DoctorValues, resource?: string) {
    const app = await startGuardedApp();
    closing.push(() => app.close());
    const issuer = await issuerFor(resource ?? app.endpoint);
    app.trust(issuer.issuer);
    const written: string[] = [];
    const exitCode = await runDoctor(app.endpoint, values, {
      out: (text) => void written.push(text),
      // The person opens the page that the command shows. Its last address is that of the listener.
      err: (text) => void new Person('ann').signIn(/http:\S+/.exec(text)![0]).then((back) => fetch(back)),
    });
    return { exitCode, text: written.join('') };
  }

  test('waits for the person, and says that the sign-in works', async () => {
    const { exitCode, text } = await run({});
    expect({ exitCode, end: text.trimEnd().split('\n').at(-1) }).toEqual({
      exitCode: 0,
      end: 'The sign-in works.',
    });
  });

  test('exits with 1 if a step fails, and prints JSON', async () => {
    const { exitCode, text } = await run({ json: true }, 'http://127.0.0.1:1/other');
    expect(exitCode).toBe(1);
    expect(JSON.parse(text)).toMatchObject({ failure: { step: 'authorize', code: 'resource-refused' } });
  });

  test('can end before a person has to sign in', async () => {
    const { exitCode, text } = await run({ signIn: false });
    expect(exitCode).toBe(0);
    expect(text).toContain('No step failed; the steps after it were left out.');
  });
});
