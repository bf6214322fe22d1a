import { RequireScopes } from '@toolwright/core';
import { usageOf } from '@toolwright/audit';
import { measureTenants } from '@toolwright/identity';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordedTelemetry } from '../../../../../packages/core/test/support/recorded-telemetry.js';
import { settle } from '../wire.js';
import { MARK, NAME } from '../marks.js';
import { must } from '../table.js';
import type { Judge, Preparation, World } from '../world.js';

const show = (value: unknown) => JSON.stringify(value).slice(0, 200);

/** What records and figures name. A way that runs nothing is named by nothing. */
const isNamed = ({ way }: World) => ['call', 'complete'].includes(way.does);

const nouns: Readonly<Record<string, string>> = {
  complete: 'completion',
  clock: 'schedule',
  file: 'transfer',
};

async function telling(
  world: World,
  look: (telemetry: RecordedTelemetry) => void | Promise<void>,
): Promise<void> {
  const telemetry = new RecordedTelemetry();
  try {
    await world.mustReach();
    await look(telemetry);
  } finally {
    await telemetry.stop();
  }
}

const attributes = ['gen_ai.tool.name', 'gen_ai.prompt.name'];
const nameIn = (given: Readonly<Record<string, unknown>>) =>
  attributes.map((name) => given[name]).find(Boolean);

/** Names of prompts and tools are in figures. URIs of resources are not: there is no end to them. */
const isCounted = ({ way }: World) => way.does === 'call' && (way.kind === 'tool' || way.kind === 'prompt');

const held = (world: World): Preparation => ({
  run: () =>
    world.notes['isHeld'] ? world.gates.wait('gate', new AbortController().signal).then(() => MARK) : MARK,
});

/** What says afterwards, and meanwhile, what was called. */
export const names: readonly Judge[] = [
  {
    name: 'names in the audit log',
    covers: ['audit'],
    needs: [],
    prepare: () => ({}),
    async check(world) {
      world.audit.length = 0;
      await world.mustReach();
      const { does, kind, name } = world.way;
      // A look at a task is answered while its call still runs.
      if (does === 'handle') await world.clock.advance(1);
      const ended = world.audit.filter(
        ({ event, operation }) => event !== 'intent' && operation !== 'request',
      );
      const calls = ended.filter((event) =>
        does === 'file' ? event.operation === 'transfer' : event.name === NAME,
      );
      if (['show', 'watch'].includes(does)) return must(calls.length === 0, `records ${show(ended)}`);
      const operation = nouns[does] ?? kind;
      must(
        calls.some((event) => event.operation === operation),
        `records ${show(ended)}`,
      );
      if (!name.includes('old version') || does !== 'call') return;
      must(
        calls.every(({ version }) => version === '1'),
        'does not record the version',
      );
    },
  },
  {
    name: 'names in traces',
    covers: ['on call'],
    needs: ['operation'],
    prepare: () => ({}),
    async check(world) {
      await world.mustReach();
      const traced = world.calls.filter(
        ({ state, name }) => state === 'ended' && name.split('.')[0] === NAME,
      );
      if (world.way.does === 'handle') return;
      const isTraced = ['call', 'clock'].includes(world.way.does);
      must(traced.length > 0 === isTraced, `traces ${show(world.calls.map(({ name }) => name))}`);
    },
  },
  {
    name: 'names in spans',
    covers: ['spans'],
    needs: ['caller', 'operation'],
    prepare: () => ({}),
    check: (world) =>
      telling(world, (telemetry) => {
        const spans = telemetry.spans().map(({ name }) => name);
        if (!isCounted(world)) return must(spans.length > 0, 'has no span');
        const method = world.way.kind === 'prompt' ? 'prompts/get' : 'tools/call';
        const isMeant = spans.includes(`${method} ${NAME}`) && !spans.includes('tools/call call_tool');
        must(isMeant, `has the spans ${show(spans)}`);
      }),
  },
  {
    name: 'names in metrics',
    covers: ['metrics'],
    needs: ['caller', 'operation'],
    prepare: () => ({}),
    check: (world) =>
      telling(world, async (telemetry) => {
        const points = (await telemetry.points()).filter(
          ({ metric }) => metric === 'mcp.server.operation.duration',
        );
        must(points.length > 0, 'is not measured');
        const measured = points.map((point) => nameIn(point.attributes));
        if (isCounted(world)) must(measured.includes(NAME), `measures ${show(measured)}`);
      }),
  },
  {
    name: 'tenants in metrics',
    covers: ['tenant measure'],
    needs: ['caller', 'operation'],
    prepare: () => ({ started: ({ server }) => measureTenants(server) }),
    check: (world) =>
      telling(world, async (telemetry) => {
        const points = (await telemetry.points()).filter(({ metric }) => metric.endsWith('tenant.duration'));
        const isMeasured = points.some((point) => point.attributes['toolwright.tenant'] === 'acme');
        if (world.way.does === 'call') must(isMeasured, `measures ${show(points)}`);
      }),
  },
  {
    name: 'names of refused calls in metrics',
    covers: ['metrics', 'scopes'],
    needs: ['caller', 'operation'],
    prepare: () => ({ uses: [[RequireScopes, 'use']] }),
    async check(world) {
      const telemetry = new RecordedTelemetry();
      try {
        await world.mustReach();
        const begun = await world.begin();
        await world.way.reach(world, 'stranger', begun);
        const points = await telemetry.points();
        const refused = points.filter(({ metric }) => metric === 'toolwright.server.requests.refused');
        // A method may answer nothing, or as if there were no such thing: then nothing was called.
        if (!isCounted(world) || world.way.methods.includes('resources/read') || world.way.options) return;
        const named = refused.map((point) => nameIn(point.attributes));
        must(named.includes(NAME), `counts ${show(refused)}`);
      } finally {
        await telemetry.stop();
      }
    },
  },
  {
    name: 'usage',
    covers: ['usage'],
    needs: ['operation'],
    prepare(world) {
      const folder = mkdtempSync(join(tmpdir(), 'ways-'));
      world.onClose(() => rmSync(folder, { recursive: true }));
      const file = (world.notes['file'] = join(folder, 'audit.jsonl'));
      return { options: { audit: { file } } };
    },
    async check(world) {
      await world.mustReach();
      await world.server.drain();
      const rows = await usageOf({ file: String(world.notes['file']), by: ['tool', 'version', 'subject'] });
      const own = rows.filter(({ keys }) => keys.tool === NAME);
      const isUsed = world.way.kind === 'tool' && ['call', 'handle'].includes(world.way.does);
      must(own.length > 0 === isUsed, `has the rows ${show(rows)}`);
      must(
        own.every(({ keys }) => keys.subject !== ''),
        'does not say who',
      );
    },
  },
  {
    name: 'running calls',
    covers: ['operator', 'drain'],
    needs: ['caller', 'operation'],
    prepare: held,
    async check(world) {
      if (!isNamed(world)) return void (await world.mustReach());
      const begun = await world.begin();
      world.notes['isHeld'] = true;
      const running = world.way.reach(world, 'ann', begun);
      await world.held(running);
      await settle();
      const { calls } = await world.server.operate('test').state();
      const own = calls.filter(({ name }) => name.split('.')[0] === NAME);
      const work = world.server.runningWork().filter(({ name }) => name.split('.')[0]!.includes(NAME));
      world.gates.open('gate');
      must((await running).isReached, 'does not end');
      if (world.way.does === 'complete') return;
      must(
        own.length === 1,
        `runs ${show(calls.map(({ name, phase, isTask, number }) => ({ name, phase, isTask, number })))}`,
      );
      must(work.length === 1, 'is not waited for');
    },
  },
  {
    name: 'security events',
    covers: ['on security'],
    needs: ['caller', 'operation'],
    prepare: (world) => ({
      uses: [[RequireScopes, 'use']],
      started: () => world.server.on('security', (event) => world.logs.push({ security: event })),
    }),
    async check(world) {
      await world.mustReach();
      const begun = await world.begin();
      for (let time = 0; time < 12; time++) await world.way.reach(world, 'stranger', begun);
      const alarms = world.logs.filter((entry) => Object.hasOwn(entry as object, 'security'));
      if (!isNamed(world) || world.way.does === 'complete') return;
      must(alarms.length > 0, 'nobody is told');
    },
  },
];
