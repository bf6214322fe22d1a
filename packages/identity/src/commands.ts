import type { Duration } from '@toolwright/core/options';
import { type ApiKeys, apiKeys } from './keys/api-keys.js';
import type { ApiKey, NewApiKey } from './keys/api-key-records.js';
import { openRecords } from './keys/open-records.js';

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** One of the commands `toolwright keys …`. */
export interface KeyCommand {
  readonly name: string;
  readonly description: string;
  /** It is about one key. */
  readonly takesId: boolean;
  readonly options: readonly { readonly flag: string; readonly description: string }[];
  /** @returns the exit code */
  run(
    id: string,
    values: Values,
    console: { out(text: string): void; err(text: string): void },
  ): Promise<number>;
}

type Act = (keys: ApiKeys, id: string, values: Values) => Promise<string | { readonly failure: string }>;

const store = [
  { flag: '--url <url>', description: 'the address of the store; default: DATABASE_URL, or else REDIS_URL' },
  { flag: '--secrets <name>', description: 'the variable with the secrets of the server; default: SECRETS' },
  { flag: '--prefix <text>', description: 'what keys begin with, as in the app; default: tw' },
];
const json = { flag: '--json', description: 'print JSON' };

function command(definition: Omit<KeyCommand, 'run'> & { act: Act }): KeyCommand {
  const { act, ...rest } = definition;
  return {
    ...rest,
    async run(id, values, console) {
      try {
        const { keys, close } = await open(values);
        const answer = await act(keys, id, values).finally(close);
        if (typeof answer !== 'string') throw new Error(answer.failure);
        console.out(`${answer}\n`);
        return 0;
      } catch (error) {
        console.err(`${(error as Error).message}\n`);
        return 1;
      }
    },
  };
}

async function open(values: Values): Promise<{ keys: ApiKeys; close(): Promise<void> }> {
  const { DATABASE_URL, REDIS_URL } = process.env;
  const url = textOf(values, 'url') ?? DATABASE_URL ?? REDIS_URL;
  if (!url) throw new Error('Set DATABASE_URL or REDIS_URL, or pass --url: where the app keeps its records.');
  const name = textOf(values, 'secrets') ?? 'SECRETS';
  const secrets = (process.env[name] ?? '').split(/\s+/).filter(Boolean);
  if (secrets.length === 0)
    throw new Error(`Set ${name} to the secrets of the server, with blanks between them.`);
  const { records, close } = await openRecords(url);
  try {
    const prefix = textOf(values, 'prefix');
    return { keys: apiKeys({ records, secrets, ...(prefix !== undefined && { prefix }) }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const textOf = (values: Values, name: string) => values[name] as string | undefined;
const unknown = (id: string) => ({ failure: `There is no key ${id}.` });

/** The commands for operators. `toolwright keys` and `toolwright-operate keys` are these. */
export const keyCommands: readonly KeyCommand[] = [
  command({
    name: 'create',
    description: 'make a key, and print it this once',
    takesId: false,
    options: [
      ...store,
      { flag: '--subject <name>', description: 'who calls with it' },
      {
        flag: '--issuer <url>',
        description: 'the issuer of the subject, for a key of a person who also signs in',
      },
      { flag: '--scopes <list>', description: 'scopes, with blanks or commas between them' },
      { flag: '--name <text>', description: 'what it is for' },
      { flag: '--lifetime <duration>', description: 'such as 90d, or "never"; default: 90d' },
      json,
    ],
    async act(keys, _id, values) {
      const subject = textOf(values, 'subject');
      if (!subject) return { failure: 'Pass --subject: who calls with the key.' };
      const lifetime = textOf(values, 'lifetime') ?? '90d';
      const [issuer, name] = [textOf(values, 'issuer'), textOf(values, 'name')];
      const made = await keys.create({
        subject,
        scopes: (textOf(values, 'scopes') ?? '').split(/[\s,]+/).filter(Boolean),
        lifetime: lifetime === 'never' ? false : (lifetime as Duration),
        ...(issuer !== undefined && { issuer }),
        ...(name !== undefined && { name }),
      });
      return describeNew(made, values);
    },
  }),
  command({
    name: 'list',
    description: 'list the keys, the oldest first',
    takesId: false,
    options: [...store, json],
    async act(keys, _id, values) {
      const all = await keys.list();
      if (values['json']) return JSON.stringify(all, undefined, 2);
      return all.length > 0 ? all.map(lineOf).join('\n') : 'There are no keys.';
    },
  }),
  command({
    name: 'rotate',
    description: 'replace a key; the old one goes on for a while',
    takesId: true,
    options: [...store, { flag: '--grace <duration>', description: 'for how long; default: 1d' }, json],
    async act(keys, id, values) {
      const grace = (textOf(values, 'grace') ?? '1d') as Duration;
      const made = await keys.rotate(id, { grace });
      return made ? describeNew(made, values) : unknown(id);
    },
  }),
  command({
    name: 'revoke',
    description: 'end a key now',
    takesId: true,
    options: [...store],
    act: async (keys, id) => ((await keys.revoke(id)) ? `The key ${id} is revoked.` : unknown(id)),
  }),
];

function describeNew(made: NewApiKey, values: Values): string {
  if (values['json']) return JSON.stringify(made, undefined, 2);
  return `${made.key}\nKeep it: it is not shown again. Its id is ${made.id}.`;
}

function lineOf({ id, subject, name, scopes, expires, lastUsed }: ApiKey): string {
  const day = (time: number | undefined, none: string) =>
    time === undefined ? none : new Date(time).toISOString().slice(0, 16).replace('T', ' ');
  const parts = [
    id,
    subject,
    scopes.join(' ') || 'no scope',
    `ends ${day(expires, 'never')}`,
    `used ${day(lastUsed, 'never')}`,
  ];
  return [...parts, ...(name === undefined ? [] : [name])].join('  ');
}

export { subjectSource } from './subjects/subject-source.js';
export { runDoctor, type DoctorValues } from './doctor/doctor-command.js';
