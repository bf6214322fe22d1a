import type { CommandValues, PackageCommand } from '@toolwright/json';
import type { RecordStore } from '@toolwright/core/ports';
import { openRecords } from './open-records.js';

/** A command about what an app keeps in its store: `toolwright keys …`, `toolwright grants …`. */
export type StoreCommand = PackageCommand<{ out(text: string): void; err(text: string): void }>;

/** What the app keeps, and the secrets that open it. */
export interface StorePlace {
  readonly records: RecordStore;
  readonly secrets: readonly string[];
}

/** What a command prints. */
export type Said = string | { readonly failure: string };

/** The options of every such command. */
export const storeOptions = [
  { flag: '--url <url>', description: 'the address of the store; default: DATABASE_URL, or else REDIS_URL' },
  { flag: '--schema <name>', description: 'the schema of the store in PostgreSQL; default: toolwright' },
  { flag: '--redis-prefix <text>', description: 'what the keys in Redis begin with; default: toolwright:' },
  {
    flag: '--pglite <folder>',
    description: 'the folder of an embedded PostgreSQL, while the app does not run',
  },
  { flag: '--secrets <name>', description: 'the variable with the secrets of the server; default: SECRETS' },
];

export const jsonOption = { flag: '--json', description: 'print JSON' };

/** Makes a command. `act` gets what the options name, and says what to print. */
export function storeCommand({
  act,
  ...rest
}: Omit<StoreCommand, 'run'> & {
  act: (place: StorePlace, id: string, values: CommandValues) => Promise<Said>;
}): StoreCommand {
  return {
    ...rest,
    async run(id, values: CommandValues, console) {
      try {
        const { close, ...place } = await open(values);
        try {
          const answer = await act(place, id, values);
          if (typeof answer !== 'string') throw new Error(answer.failure);
          console.out(`${answer}\n`);
          return 0;
        } finally {
          await close();
        }
      } catch (error) {
        console.err(`${(error as Error).message}\n`);
        return 1;
      }
    },
  };
}

async function open(values: CommandValues): Promise<StorePlace & { close(): Promise<void> }> {
  const { DATABASE_URL, REDIS_URL } = process.env;
  const pglite = textOf(values, 'pglite');
  const url = textOf(values, 'url') ?? (DATABASE_URL || REDIS_URL);
  if (!url && pglite === undefined)
    throw new Error('Set DATABASE_URL or REDIS_URL, or pass --url: where the app keeps its records.');
  const name = textOf(values, 'secrets') ?? 'SECRETS';
  const secrets = (process.env[name] ?? '').split(/\s+/).filter(Boolean);
  if (secrets.length === 0)
    throw new Error(`Set ${name} to the secrets of the server, with blanks between them.`);
  const opened = await openRecords({
    url,
    pglite,
    schema: textOf(values, 'schema'),
    // Commander names options in camel case.
    redisPrefix: textOf(values, 'redis-prefix') ?? textOf(values, 'redisPrefix'),
  });
  return { ...opened, secrets };
}

export const textOf = (values: CommandValues, name: string) => values[name] as string | undefined;

/** A time in a line, to the minute. */
export const minuteOf = (time: number | undefined, none: string) =>
  time === undefined ? none : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
