import { type UserGrant, userGrants } from '../src/index.js';
import { MemoryRecordStore, systemClock } from '@toolwright/core/ports';
import { MemoryTaskQueue } from '@toolwright/testing';
import { Browser } from './support/browser.js';
import { GrantDesk, grantOnPage } from './support/grant-desk.js';
import { CALENDAR } from './support/granting-issuer.js';

const secrets = ['a secret of the tests that has more than 32 characters'];

let desk: GrantDesk;
let records: MemoryRecordStore;
let ahead = 0;
const clock = { ...systemClock, now: () => Date.now() + ahead };

beforeEach(async () => {
  ahead = 0;
  records = new MemoryRecordStore(clock);
  desk = await GrantDesk.open({ ports: { clock }, stores: { records }, secrets });
});
afterEach(() => desk.close());

const claims = ({ text }: { text: string }) => JSON.parse(text) as Record<string, unknown>;
const connectAs =
  (subject: string, account = `${subject}@home`, decision = 'connect') =>
  async (url: string) =>
    void (await grantOnPage(new Browser(), { url, subject, account, decision }));

describe.each(['2026-07-28', '2025-11-25'] as const)('a person without a grant (%s)', (revision) => {
  test('is asked once, signs in on the page, and the tool goes on', async () => {
    const said = await desk.callAs('ann', { revision, person: connectAs('ann') });
    const scope = 'calendar:read calendar:write';
    expect(claims(said)).toMatchObject({ sub: 'ann@home', aud: CALENDAR, scope });
    expect(said.opened).toHaveLength(1);
    const again = await desk.callAs('ann', { revision });
    expect([claims(again), again.opened]).toEqual([claims(said), []]);
  });

  test.each([
    ['refuses on the page', { person: connectAs('ann', '', 'refuse') }, 'did not grant access'],
    ['refuses at the issuer', { person: connectAs('ann', 'nobody') }, 'did not grant access'],
    ['does not open the page', { action: 'decline' }, 'did not open the page'],
  ])('%s, and the tool gets no token', async (_what, options, words) => {
    const { text, isError } = await desk.callAs('ann', { revision, ...options });
    expect([isError, text]).toEqual([true, expect.stringContaining(words)]);
    expect(records.list('grants')).toEqual([]);
    expect(desk.audit.at(-2)).toMatchObject({ operation: 'token', outcome: 'TW_TOKEN_GRANT' });
  });

  test('has a while', async () => {
    await desk.close();
    desk = await GrantDesk.open({
      ports: { clock },
      stores: { records },
      secrets,
      grants: { lifetime: '1m' },
    });
    const person = async () => void (ahead = 60_001);
    const { text } = await desk.callAs('ann', { revision, person });
    expect(text).toContain('did not grant access to https://calendar.example.com in time');
  });
});

test.each([
  ['without the capability', { capabilities: {} }],
  ['with forms only', { capabilities: { elicitation: { form: {} } } }],
  ['of an older revision', { revision: '2025-06-18' as const }],
])('a client %s is refused, and the text says why', async (_what, options) => {
  const { text, opened } = await desk.callAs('ann', options);
  expect(text).toContain(
    'this client cannot open the page for it (URL elicitation, from revision 2025-11-25 on)',
  );
  expect(opened).toEqual([]);
});

test('a client of an older revision uses what its person has granted elsewhere', async () => {
  await desk.grantAs('ann');
  expect(claims(await desk.callAs('ann', { revision: '2025-06-18' }))).toMatchObject({ sub: 'ann@home' });
});

test('a caller whom nobody could recognise later gets no token', async () => {
  for (const options of [{}, { principal: { subject: 'ann', scopes: [] } }]) {
    const { text } = await desk.callAs(undefined, options);
    expect(text).toContain('needs a caller that has signed in');
  }
});

test('nothing of one caller reaches another, of another issuer, or of another tenant', async () => {
  await desk.grantAs('ann');
  const principal = desk.principal('ann');
  for (const other of [
    desk.principal('bea'),
    { ...principal, issuer: 'https://other.example.com' },
    { ...principal, tenant: 'acme' },
  ]) {
    const { isError, opened } = await desk.callAs(undefined, { principal: other, action: 'cancel' });
    expect([isError, opened.length]).toEqual([true, 1]);
  }
  // Another program of the same person shares the grant.
  const other = await desk.callAs(undefined, { principal: { ...principal, clientId: 'phone' } });
  expect(claims(other)).toMatchObject({ sub: 'ann@home' });
});

test('in another tenant, the same person grants for that tenant alone', async () => {
  await desk.close();
  desk = await GrantDesk.open({ ports: { clock }, stores: { records }, secrets, tenant: () => 'acme' });
  const acme = { principal: desk.principal('ann', { tenant: 'acme' }), person: connectAs('ann') };
  expect(claims(await desk.callAs(undefined, acme))).toMatchObject({ sub: 'ann@home' });
  const home = await desk.callAs('ann', { person: connectAs('ann'), action: 'cancel' });
  expect(home.isError).toBe(true);
  expect(records.list('grants')).toHaveLength(1);
});

describe('when the token runs out', () => {
  beforeEach(() => desk.grantAs('ann'));

  test('it is refreshed once for all calls, again and again', async () => {
    for (let time = 1; time <= 3; time++) {
      ahead += 3_600_000;
      const all = await Promise.all(Array.from({ length: 30 }, () => desk.callAs('ann')));
      expect(new Set(all.map(({ text }) => text)).size).toBe(1);
      expect(claims(all[0]!)).toMatchObject({ sub: 'ann@home' });
      expect(desk.calendar.refreshes()).toBe(time);
    }
    const sources = desk.audit.map(({ loggable }) => (loggable as { source?: string } | undefined)?.source);
    expect(sources.filter((source) => source === 'refreshed')).toHaveLength(3);
  });

  test('an issuer in trouble is asked once in five seconds, and the grant stays', async () => {
    ahead += 3_600_000;
    desk.calendar.answer = 'broken';
    for (const { text } of [await desk.callAs('ann'), await desk.callAs('ann')])
      expect(text).toContain('does not answer. Try again later');
    expect(desk.calendar.requests.filter(({ path }) => path === '/token')).toHaveLength(2);
    desk.calendar.answer = 'token';
    ahead += 5_001;
    expect(claims(await desk.callAs('ann'))).toMatchObject({ sub: 'ann@home' });
  });

  test('an issuer that has ended the grant leads back to the page', async () => {
    const [[, text]] = records.list('grants') as [[string, string]];
    ahead += 3_600_000;
    await desk.callAs('ann');
    // A copy of the store is put back: its refresh token was used already, which ends the grant at the issuer.
    const [[id, now]] = records.list('grants') as [[string, string]];
    records.put('grants', id, text, { was: now });
    const { opened, isError } = await desk.callAs('ann', { action: 'cancel' });
    expect([isError, opened.length]).toEqual([true, 1]);
    await desk.grantAs('ann');
    expect(claims(await desk.callAs('ann'))).toMatchObject({ sub: 'ann@home' });
  });

  test('a new refresh token is not lost when the store is away for a moment', async () => {
    ahead += 3_600_000;
    const put = jest.spyOn(records, 'put').mockImplementationOnce(() => {
      throw new Error('away');
    });
    expect(claims(await desk.callAs('ann'))).toMatchObject({ sub: 'ann@home' });
    put.mockRestore();
    expect(claims(await desk.callAs('ann'))).toMatchObject({ sub: 'ann@home' });
    ahead += 3_600_000;
    expect(claims(await desk.callAs('ann'))).toMatchObject({ sub: 'ann@home' });
    expect(desk.calendar.refreshes()).toBe(2);
  });
});

describe('scopes', () => {
  test('a tool that asks for less gets less', async () => {
    await desk.grantAs('ann');
    const scopes = ['calendar:read'];
    expect(claims(await desk.callAs('ann', { scopes }))).toMatchObject({ scope: 'calendar:read' });
    expect(claims(await desk.callAs('ann', { scopes }))).toMatchObject({ scope: 'calendar:read' });
    expect(desk.calendar.refreshes()).toBe(1);
    const scope = 'calendar:read calendar:write';
    expect(claims(await desk.callAs('ann'))).toMatchObject({ scope });
    expect(desk.calendar.refreshes()).toBe(1);
  });

  test('a person who grants more keeps what was granted before', async () => {
    await desk.grantAs('ann', { scopes: ['calendar:read'] });
    const more = await desk.callAs('ann', { scopes: ['calendar:write'], person: connectAs('ann') });
    expect(more.opened).toHaveLength(1);
    expect(more.isError).toBe(false);
    expect((await desk.callAs('ann')).opened).toEqual([]);
  });

  test('an issuer that grants less is not asked without end', async () => {
    const person = connectAs('cleo');
    const { text, opened } = await desk.callAs('cleo', { scopes: ['calendar:write'], person });
    expect(text).toContain('has not granted all that this tool needs: calendar:write');
    expect(opened).toHaveLength(1);
  });

  test('what the rule does not allow is refused before anybody is asked', async () => {
    const { text, opened } = await desk.callAs('ann', { scopes: ['calendar:admin'] });
    expect(text).toMatch(/Its operator adds .*option "exchange"/);
    expect(opened).toEqual([]);
  });
});

describe('an operator', () => {
  const operator = () => userGrants({ records, secrets, clock });

  test('sees the grants, and no token', async () => {
    await desk.grantAs('ann');
    const [grant, ...others] = await operator().list();
    expect(others).toEqual([]);
    expect(grant).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      subject: 'ann',
      resource: CALENDAR,
      issuer: desk.people.issuer,
      scopes: ['calendar:read', 'calendar:write'],
      created: expect.any(Number) as number,
      renewed: expect.any(Number) as number,
    });
  });

  test('revokes one, here at once and at its issuer', async () => {
    await desk.grantAs('ann');
    const [[id, before]] = records.list('grants') as [[string, string]];
    const { clientSecret } = desk.client;
    expect(await operator().revoke(id, { clientSecret })).toEqual({ outcome: 'revoked' });
    expect(desk.calendar.requests.at(-1)).toMatchObject({ path: '/token/revocation' });
    expect((await desk.callAs('ann', { action: 'cancel' })).opened).toHaveLength(1);
    expect(await operator().list()).toEqual([]);
    expect(await operator().revoke(id)).toBeUndefined();
    // Whoever has a copy of the record cannot use it either.
    records.put('grants', id, before, { was: records.get('grants', id) });
    ahead += 3_600_000;
    expect((await desk.callAs('ann', { action: 'cancel' })).opened).toHaveLength(1);
  });

  test('revokes it again where the issuer did not take it; meanwhile no tool can use it', async () => {
    await desk.grantAs('ann');
    const [{ id }] = (await operator().list()) as readonly [UserGrant];
    expect(await operator().revoke(id)).toMatchObject({ outcome: 'failed', reason: 'invalid_client' });
    expect((await desk.callAs('ann', { action: 'cancel' })).isError).toBe(true);
    expect(await operator().list()).toEqual([expect.objectContaining({ id, revoked: true })]);
    const { clientSecret } = desk.client;
    expect(await operator().revoke(id, { clientSecret })).toEqual({ outcome: 'revoked' });
    expect(await operator().list()).toEqual([]);
  });

  test('and a refresh at the same time does not bring it back', async () => {
    await desk.grantAs('ann');
    const [{ id }] = (await operator().list()) as readonly [UserGrant];
    ahead += 3_600_000;
    let letGo = () => {};
    desk.calendar.gate = new Promise<void>((resolve) => (letGo = resolve));
    const call = desk.callAs('ann', { action: 'cancel' });
    while (desk.calendar.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const revoking = operator().revoke(id, { clientSecret: desk.client.clientSecret });
    while (desk.calendar.requests.length < 3) await new Promise((resolve) => setImmediate(resolve));
    letGo();
    await revoking;
    expect((await call).isError).toBe(true);
    expect(await operator().list()).toEqual([]);
  });
});

test('neither the tool nor a log nor the audit nor the store shows a token', async () => {
  await desk.grantAs('ann');
  ahead += 3_600_000;
  await desk.callAs('ann');
  const kept = JSON.stringify(records.list('grants'));
  const all = JSON.stringify([desk.logs, desk.audit, kept, records.list('grant-requests')]);
  for (const secret of ['eyJhbGciOi', desk.client.clientSecret, 'refresh_token', 'code='])
    expect(all).not.toContain(secret);
  expect(kept).not.toContain('"ann"');
  const granted = desk.audit.find(({ operation }) => (operation as string) === 'grant');
  expect(granted).toMatchObject({
    name: CALENDAR,
    outcome: 'ok',
    principal: { subject: 'ann' },
    loggable: { resource: CALENDAR, scopes: ['calendar:read', 'calendar:write'] },
  });
  const tokens = desk.audit.filter(({ operation }) => (operation as string) === 'token');
  expect(tokens.map(({ outcome }) => outcome)).toEqual(['asked', 'ok', 'ok']);
  expect(tokens.at(-1)).toMatchObject({ loggable: { by: 'stored-grant', source: 'refreshed' } });
});

describe('a task', () => {
  const queued = async () => {
    await desk.close();
    desk = await GrantDesk.open({
      ports: { clock },
      secrets,
      tasks: { concurrency: 2 },
      stores: { records, tasks: new MemoryTaskQueue(clock) },
    });
  };

  test('on a queue uses the stored grant of its caller, also after the token has run out', async () => {
    await queued();
    await desk.grantAs('ann');
    expect(claims(await desk.askInTask('ann'))).toMatchObject({ sub: 'ann@home' });
    ahead += 3_600_000;
    expect(claims(await desk.askInTask('ann'))).toMatchObject({ sub: 'ann@home' });
    expect(desk.calendar.refreshes()).toBe(1);
  });

  test('on a queue is refused without one, and says what to do', async () => {
    await queued();
    const { text, isError } = await desk.askInTask('ann');
    expect(isError).toBe(true);
    expect(text).toContain('a durable task cannot ask for it');
    expect(text).toContain('Call a tool that uses https://calendar.example.com without a task first');
  });

  test('in the process of its call asks the person', async () => {
    expect(claims(await desk.askInTask('ann', connectAs('ann')))).toMatchObject({ sub: 'ann@home' });
  });
});

test('a stored grant without a page is refused at boot, and the option is named', async () => {
  const { oauthResourceServer } = await import('@toolwright/http');
  const open = (grants?: object) =>
    oauthResourceServer({
      resource: 'https://api.example.com/mcp',
      issuers: ['https://login.example.com'],
      exchange: { [CALENDAR]: { by: 'stored-grant', issuer: 'https://login.example.com', clientId: 'mcp' } },
      ...(grants && { grants: grants as never }),
    });
  expect(() => open()).toThrow(/needs a page.*option "grants"/s);
  expect(() => open({ url: 'http://api.example.com/x', issuer: 'https://login.example.com' })).toThrow(
    /url.*clientId/s,
  );
});
