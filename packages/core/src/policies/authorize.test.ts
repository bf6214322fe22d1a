import { HiddenOperationError, InsufficientScopeError } from '@toolwright/ground/base/errors/errors';
import type { Principal } from '@toolwright/ground/base/request-context';
import { PipelineFixture, textOf } from '../../test/support/pipeline-fixture.js';
import { RequireScopes } from './authorize.js';
import { dependsOnCaller, isVisible } from './guards.js';

const needs = (...scopes: [string, ...string[]]) => ({ policies: [RequireScopes.entry(...scopes)] });
const who = (...scopes: string[]): Principal => ({ subject: 'ann', scopes });

describe('a tool that needs scopes', () => {
  const cases: [Principal | undefined, boolean][] = [
    [undefined, false],
    [who(), false],
    [who('read'), false],
    [who('read', 'write'), true],
    [who('read write'), false],
  ];

  it.each(cases)('is seen and called by %j: %s', async (principal, allowed) => {
    const fixture = new PipelineFixture();
    const tool = fixture.tool(() => 'ran', needs('read', 'write'));
    expect(isVisible(tool, principal, fixture.environment)).toBe(allowed);
    const call = fixture.call(tool, {}, fixture.request({ principal }));
    if (allowed) expect(textOf(await call)).toBe('ran');
    else await expect(call).rejects.toThrow(InsufficientScopeError);
  });

  it('names all scopes in one challenge', async () => {
    const fixture = new PipelineFixture();
    const call = fixture.call(
      fixture.tool(() => 1, needs('read', 'write')),
      {},
      fixture.request({ principal: who('read') }),
    );
    await expect(call).rejects.toMatchObject({
      scopes: ['read', 'write'],
      data: { requiredScopes: ['read', 'write'] },
    });
  });
});

describe('authorize()', () => {
  const authorize = (principal: Principal | undefined, { name }: { name: string }) =>
    principal?.subject === 'ann' && name !== 'secret';

  it('decides about calls and lists alike, and hidden operations seem not to exist', async () => {
    const fixture = new PipelineFixture({ authorize });
    const open = fixture.tool(() => 'ran', { name: 'open' });
    const secret = fixture.tool(() => 'ran', { name: 'secret' });
    expect([open, secret].map((tool) => isVisible(tool, who(), fixture.environment))).toEqual([true, false]);
    expect(textOf(await fixture.call(open))).toBe('ran');
    await expect(fixture.call(secret)).rejects.toThrow(
      new HiddenOperationError({ kind: 'tool', name: 'secret' }),
    );
    await expect(fixture.call(open, {}, fixture.request({ principal: undefined }))).rejects.toMatchObject({
      rpcCode: -32602,
    });
    expect(fixture.sink.events).toEqual(['outcome ok', 'denied denied', 'denied denied']);
  });

  it('accepts only true', async () => {
    const careless = (async () => false) as unknown as typeof authorize;
    const fixture = new PipelineFixture({ authorize: careless });
    await expect(fixture.call(fixture.tool(() => 'ran'))).rejects.toThrow(HiddenOperationError);
  });

  it('stops the call if it throws, without saying why', async () => {
    const fixture = new PipelineFixture({
      authorize: () => {
        throw new Error('ldap://10.0.0.1 is down');
      },
    });
    expect(textOf(await fixture.call(fixture.tool(() => 'ran')))).toBe('Internal error (ref ref0123456).');
  });
});

it('says which lists depend on the caller', () => {
  const fixture = new PipelineFixture();
  expect(
    dependsOnCaller(
      fixture.tool(() => 1),
      { options: {} },
    ),
  ).toBe(false);
  expect(
    dependsOnCaller(
      fixture.tool(() => 1, needs('read')),
      { options: {} },
    ),
  ).toBe(true);
  expect(
    dependsOnCaller(
      fixture.tool(() => 1),
      { options: { authorize: () => true } },
    ),
  ).toBe(true);
});

describe('a predicate that answers with a promise', () => {
  it.each([
    ['hangs', () => new Promise(() => undefined)],
    ['fails', () => Promise.reject(new Error('no'))],
    ['says yes', () => Promise.resolve(true)],
  ])('lets nobody in, makes nobody wait and is recorded, if it %s', async (_, authorize) => {
    const fixture = new PipelineFixture({ authorize: authorize as never });
    const call = fixture.call(fixture.tool(() => 'ran'));
    await expect(call).rejects.toThrow(HiddenOperationError);
    expect(fixture.sink.records.map(({ event }) => event.reason)).toEqual(['TW_HIDDEN']);
    await fixture.clock.advance(0);
    expect(fixture.clock.pending).toBe(0);
  });
});
