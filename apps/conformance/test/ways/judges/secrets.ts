import { asText } from '../../../../../packages/core/test/support/as-text.js';
import { RecordedTelemetry } from '../../../../../packages/core/test/support/recorded-telemetry.js';
import { MARK, NAME, SECRET } from '../marks.js';
import { must } from '../table.js';
import type { Judge, Preparation, World } from '../world.js';

const marked = { type: 'string', writeOnly: true };

/**
 * The argument is sensitive, and the method repeats it. Where there are no arguments, the caller sends the secret by
 * mistake, beside what the method takes.
 */
const goesIn = ({ way }: World): Preparation =>
  way.has.has('schema')
    ? { of: marked, args: { of: SECRET }, run: ({ of }) => `${MARK} ${String(of)}` }
    : { stray: { of: SECRET, arguments: { name: NAME, of: SECRET } }, started: addSensitive };

/** Something of the server is sensitive, so what belongs to no known place is hidden. */
const addSensitive = ({ server }: World) =>
  server.tools.add({
    name: 'sensitive',
    description: 'Takes a password.',
    handler: () => 'ok',
    inputSchema: { type: 'object', properties: { password: marked } },
  });

/** The result has a sensitive part. What has no schema for it repeats a sensitive argument. */
const goesOut = ({ way }: World): Preparation => (way.has.has('structured') ? structured : repeated);

const repeated: Preparation = { of: marked, run: () => `${MARK} ${SECRET}` };

const structured: Preparation = {
  output: {
    type: 'object',
    properties: {
      mark: { type: 'string' },
      token: marked,
      rows: { type: 'array', items: { type: 'string' } },
    },
    required: ['mark'],
  },
  run: () => ({ mark: MARK, token: SECRET }),
};

interface Watched {
  readonly covers: string;
  /** It sees whole messages, with what does not belong there. */
  readonly seesStray?: boolean;
  seen(world: World): unknown;
}

/** What a person may look at while a server runs, and afterwards. */
const watched: Readonly<Record<string, Watched>> = {
  messages: { covers: 'on message', seesStray: true, seen: ({ messages }) => messages },
  traces: { covers: 'on call', seesStray: true, seen: ({ calls }) => calls },
  // A sink hashes results with its key, and stores none.
  'the audit log': {
    covers: 'audit',
    seen: ({ audit }) => audit.map((event) => ({ ...event, result: undefined })),
  },
  'the log': { covers: 'log', seen: ({ logs }) => logs },
};

const hides = (where: string, { covers, seesStray, seen }: Watched): Judge[] => [
  {
    name: `sensitive arguments in ${where}`,
    covers: [covers],
    needs: seesStray ? ['caller', 'operation'] : ['operation', 'schema'],
    prepare: goesIn,
    async check(world) {
      const { text } = await world.go();
      const isRepeated = world.way.has.has('schema') && world.way.does !== 'handle';
      must(!isRepeated || text.includes(SECRET), 'does not get the argument');
      must(!asText(seen(world)).includes(SECRET), 'shows the argument');
    },
  },
  {
    name: `sensitive results in ${where}`,
    covers: [covers],
    needs: ['operation', 'schema'],
    prepare: goesOut,
    async check(world) {
      await world.mustReach();
      must(!asText(seen(world)).includes(SECRET), 'shows the result');
    },
  },
];

/** Values marked sensitive, where somebody looks who is not the caller. */
export const secrets: readonly Judge[] = [
  ...Object.entries(watched).flatMap(([where, watch]) => hides(where, watch)),
  {
    name: 'sensitive arguments that are wrong',
    covers: ['validate', 'on message', 'on call'],
    needs: ['caller', 'operation'],
    prepare: (world) => ({ ...goesIn(world), of: { ...marked, maxLength: 3 } }),
    async check(world) {
      await world.go().catch(() => undefined);
      const { messages, calls } = world;
      must(!asText([messages, calls]).includes(SECRET), 'shows the argument');
    },
  },
  {
    name: 'sensitive arguments in errors',
    covers: ['errors', 'log'],
    needs: ['operation', 'schema'],
    prepare: () => ({
      of: marked,
      args: { of: SECRET },
      run({ of }) {
        throw new Error(`It failed with ${String(of)}.`);
      },
    }),
    async check(world) {
      await world.go();
      const { messages, calls, audit, logs } = world;
      must(!asText([messages, calls, audit, logs]).includes(SECRET), 'shows the argument');
    },
  },
  {
    name: 'sensitive arguments in spans',
    covers: ['spans'],
    needs: ['caller', 'operation'],
    prepare: goesIn,
    async check(world) {
      const telemetry = new RecordedTelemetry();
      try {
        const { isReached } = await world.go();
        must(isReached || !world.way.has.has('schema'), 'is not reached');
        must(!asText([telemetry.spans(), await telemetry.points()]).includes(SECRET), 'shows the argument');
      } finally {
        await telemetry.stop();
      }
    },
  },
];
