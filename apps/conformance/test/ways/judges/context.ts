import { type Middleware, UseMiddleware } from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import { openTokenExchange } from '@toolwright/identity';
import { MARK, NAME } from '../marks.js';
import { must } from '../table.js';
import type { Judge, World } from '../world.js';

const BEHIND = 'https://calendar.example.com';
const ISSUER = 'https://login.example.com';

const json = (body: object) =>
  new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });

/** An issuer that gives for each token another one, which says for whom it is. */
async function issuer(given: string | URL | Request, init?: RequestInit): Promise<Response> {
  const url = given instanceof Request ? given.url : String(given);
  if (!url.endsWith('/token')) return json({ issuer: ISSUER, token_endpoint: `${ISSUER}/token` });
  const asked = new URLSearchParams(String(init?.body));
  return json({
    access_token: `for ${asked.get('subject_token')}`,
    token_type: 'Bearer',
    expires_in: 3_600,
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  });
}

/** Gives tools tokens of their callers for one server behind. */
export const exchange = () =>
  openTokenExchange({
    [BEHIND]: {
      by: 'token-exchange',
      issuer: ISSUER,
      clientId: 'ways',
      clientSecret: 'secret',
      fetch: issuer as typeof fetch,
    },
  });

const counting =
  (world: World): Middleware =>
  (call, next) => {
    world.notes['passed'] = [...((world.notes['passed'] as string[] | undefined) ?? []), call.operation.name];
    return next();
  };

/** How often middleware must have seen the call: once, and once more for each part of a result. */
const passed = ({ notes }: World) =>
  ((notes['passed'] as string[] | undefined) ?? []).map((name) => name.split('.')[0]);

/** What the method finds around it. */
export const context: readonly Judge[] = [
  {
    name: 'the caller',
    covers: ['context'],
    needs: ['context'],
    prepare: () => ({
      run: (_args, ctx) =>
        ctx === undefined ? MARK : `${MARK} ${ctx.principal?.subject} of ${ctx.principal?.tenant}`,
    }),
    async check(world) {
      const { text } = await world.mustReach();
      if (world.way.does === 'call')
        must(text.includes('ann of acme'), `has another caller: ${text.slice(0, 200)}`);
    },
  },
  {
    name: 'tokens for what lies behind',
    covers: ['context'],
    needs: ['caller', 'context'],
    prepare: ({ notes }) => ({
      async run(_args, ctx) {
        const asks = notes['asks'] === true;
        return ctx === undefined || !asks ? MARK : `${MARK} ${await ctx.tokenFor(BEHIND)}`;
      },
      async started(world) {
        const { extension, hold } = exchange();
        world.principals = { ...world.principals, ann: hold(world.principals.ann, 'token of ann') };
        await extend(world.server, extension);
      },
    }),
    async check(world) {
      if (world.way.does === 'complete') return void (await world.mustReach());
      const isLater = world.way.isQueued === true;
      if (isLater) await world.mustReach();
      world.notes['asks'] = true;
      const { isReached, text } = await world.go();
      // Work that another process may do has no token of the caller: it must not be stored (ADR 225).
      must(
        isReached !== isLater && (isLater || text.includes('for token of ann')),
        `gets ${text.slice(0, 200)}`,
      );
    },
  },
  {
    name: 'middleware of the server',
    covers: ['middleware'],
    needs: ['operation'],
    prepare: (world) => ({ options: { middleware: [counting(world)] } }),
    async check(world) {
      await world.mustReach();
      const names = passed(world).filter((name) => name === NAME);
      const isPassed = ['call', 'handle'].includes(world.way.does);
      must(names.length > 0 === isPassed, `passes ${names.length} times`);
    },
  },
  {
    name: 'middleware of the tool',
    covers: ['middleware'],
    needs: ['caller', 'operation'],
    prepare: (world) => ({ uses: [[UseMiddleware as never, counting(world)]] }),
    async check(world) {
      await world.mustReach();
      const isPassed = ['call', 'handle'].includes(world.way.does);
      must(passed(world).length > 0 === isPassed, `passes ${passed(world).length} times`);
    },
  },
];
