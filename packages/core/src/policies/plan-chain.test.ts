import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import type { BoundTool, Middleware } from '@toolwright/ground/call/operation/operation';
import { PipelineFixture, textOf } from '../../test/support/pipeline-fixture.js';
import { RateLimit } from './rate-limit.js';
import { RequireScopes } from './authorize.js';

describe('a planned tool', () => {
  it('has the documented order of steps, outermost first', () => {
    const audited = new PipelineFixture({ authorize: () => true, confirmDestructive: true });
    const { plan } = audited.tool(() => 1, { annotations: { destructiveHint: true } });
    expect(plan!.map(({ name }) => name)).toEqual([
      'audit',
      'errors',
      'authorize',
      'rate limit',
      'validate',
      'deadline',
      'concurrency',
      'confirm',
      'output',
    ]);
  });

  it('says where each step comes from', () => {
    const { plan } = new PipelineFixture().tool(() => 1, {
      annotations: { destructiveHint: true },
      policies: [RateLimit.entry({ points: 3, per: '1m' }), RequireScopes.entry('pages:write')],
    });
    expect(plan).toMatchObject([
      { name: 'audit', origin: 'annotations', detail: 'strict' },
      { name: 'errors', origin: 'default' },
      { name: 'scopes', origin: 'method', detail: 'pages:write' },
      {
        name: 'rate limit',
        origin: 'method',
        detail: '3 a minute, a call costs 5, store down: closed',
      },
      { name: 'validate', origin: 'schema' },
      { name: 'deadline', origin: 'default', detail: '50 s' },
      { name: 'concurrency', origin: 'default', detail: '32 at a time per principal' },
      { name: 'output', origin: 'default', detail: 'sanitised' },
    ]);
  });

  it('has hardly any steps if every default is switched off', () => {
    const bare = new PipelineFixture({
      audit: false,
      rateLimit: false,
      concurrency: false,
      timeout: false,
      output: { hidden: 'keep' },
    });
    expect(bare.tool(() => 1).plan!.map(({ name }) => name)).toEqual([
      'errors',
      'validate',
      'deadline',
      'output',
    ]);
  });

  it('answers synchronously if every part of it does', () => {
    const fixture = new PipelineFixture({ rateLimit: false });
    const result = fixture.tool(() => 'done').run(fixture.request(), {});
    expect(result).toEqual({ content: [{ type: 'text', text: 'done' }] });
  });

  it('is the same operation for middleware and for the registry', async () => {
    const seen: unknown[] = [];
    const fixture = new PipelineFixture({
      middleware: [(call, next) => (seen.push(call.operation), next())],
    });
    const tool = fixture.tool(() => 1);
    await fixture.call(tool);
    expect(seen).toEqual([tool]);
    expect(seen[0]).toBe(tool);
  });

  it('gets middleware by its own properties, in the given order', async () => {
    const fixture = new PipelineFixture({
      middleware: [
        { middleware: (_, next) => next(), when: (tool) => tool.annotations.destructiveHint === true },
        (async (_, next) => {
          const { content } = await next();
          return { content: [...content, { type: 'text', text: 'outer' }] };
        }) satisfies Middleware<BoundTool>,
      ],
    });
    const reader = fixture.tool(() => 'inner', { annotations: { readOnlyHint: true } });
    expect(reader.plan!.filter(({ origin }) => origin === 'server')).toHaveLength(1);
    expect(textOf(await fixture.call(reader))).toBe('inner\nouter');
    const destroyer = fixture.tool(() => 'inner', { annotations: { destructiveHint: true } });
    expect(destroyer.plan!.filter(({ origin }) => origin === 'server')).toHaveLength(2);
  });

  it('refuses options without sense, and names their place', () => {
    const plan = () =>
      new PipelineFixture().tool(() => 1, {
        policies: [RateLimit.entry({ points: -1, per: '1m' })],
        location: '/app/tools.ts:3:3',
      });
    expect(plan).toThrow(ConfigurationError);
    expect(plan).toThrow(
      '/app/tools.ts:3:3: TW_OPTION_INVALID: The option "points" must be a positive number, or a function, not -1.',
    );
  });
});
