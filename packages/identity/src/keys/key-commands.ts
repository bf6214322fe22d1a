import type { CommandValues, ApiKey } from '@toolwright/json';
import type { Duration } from '@toolwright/core/options';
import {
  jsonOption,
  minuteOf,
  type StorePlace,
  storeCommand,
  type StoreCommand,
  storeOptions,
  textOf,
} from '../commands/store-command.js';
import { type ApiKeys, apiKeys } from './api-keys.js';
import type { NewApiKey } from './api-key-records.js';

type Act = (
  keys: ApiKeys,
  id: string,
  values: CommandValues,
) => Promise<string | { readonly failure: string }>;

const store = [
  ...storeOptions,
  { flag: '--prefix <text>', description: 'what keys begin with, as in the app; default: tw' },
];

function command({ act, ...rest }: Omit<StoreCommand, 'run'> & { act: Act }): StoreCommand {
  return storeCommand({ ...rest, act: (place, id, values) => act(keysIn(place, values), id, values) });
}

function keysIn({ records, secrets }: StorePlace, values: CommandValues): ApiKeys {
  const prefix = textOf(values, 'prefix');
  return apiKeys({ records, secrets, ...(prefix !== undefined && { prefix }) });
}

const keyId = { name: 'id', description: 'the id of the key' };
const unknown = (id: string) => ({ failure: `There is no key ${id}.` });

/** The commands for operators. `toolwright keys` and `toolwright-operate keys` are these. */
export const keyCommands: readonly StoreCommand[] = [
  command({
    words: ['create'],
    description: 'make a key, and print it this once',
    options: [
      ...store,
      { flag: '--subject <name>', description: 'who calls with it' },
      {
        flag: '--issuer <url>',
        description: 'the issuer of the subject, for a key of a person who also signs in',
      },
      { flag: '--tenant <name>', description: 'the tenant of the subject, if the app keeps tenants apart' },
      { flag: '--scopes <list>', description: 'scopes, with blanks or commas between them' },
      { flag: '--name <text>', description: 'what it is for' },
      { flag: '--lifetime <duration>', description: 'such as 90d, or "never"; default: 90d' },
      jsonOption,
    ],
    async act(keys, _id, values) {
      const subject = textOf(values, 'subject');
      if (!subject) return { failure: 'Pass --subject: who calls with the key.' };
      const lifetime = textOf(values, 'lifetime') ?? '90d';
      const [issuer, tenant, name] = ['issuer', 'tenant', 'name'].map((each) => textOf(values, each));
      const made = await keys.create({
        subject,
        scopes: (textOf(values, 'scopes') ?? '').split(/[\s,]+/).filter(Boolean),
        lifetime: lifetime === 'never' ? false : (lifetime as Duration),
        ...(issuer !== undefined && { issuer }),
        ...(tenant !== undefined && { tenant }),
        ...(name !== undefined && { name }),
      });
      return describeNew(made, values);
    },
  }),
  command({
    words: ['list'],
    description: 'list the keys, the oldest first',
    options: [...store, jsonOption],
    async act(keys, _id, values) {
      const all = await keys.list();
      if (values['json']) return JSON.stringify(all, undefined, 2);
      return all.length > 0 ? all.map(lineOf).join('\n') : 'There are no keys.';
    },
  }),
  command({
    words: ['rotate'],
    description: 'replace a key; the old one goes on for a while',
    argument: keyId,
    options: [...store, { flag: '--grace <duration>', description: 'for how long; default: 1d' }, jsonOption],
    async act(keys, id, values) {
      const grace = (textOf(values, 'grace') ?? '1d') as Duration;
      const made = await keys.rotate(id, { grace });
      return made ? describeNew(made, values) : unknown(id);
    },
  }),
  command({
    words: ['revoke'],
    description: 'end a key now',
    argument: keyId,
    options: [...store],
    act: async (keys, id) => ((await keys.revoke(id)) ? `The key ${id} is revoked.` : unknown(id)),
  }),
];

function describeNew(made: NewApiKey, values: CommandValues): string {
  if (values['json']) return JSON.stringify(made, undefined, 2);
  return `${made.key}\nKeep it: it is not shown again. Its id is ${made.id}.`;
}

function lineOf({ id, subject, tenant, name, scopes, expires, lastUsed }: ApiKey): string {
  const parts = [
    id,
    tenant === undefined ? subject : `${subject} of ${tenant}`,
    scopes.join(' ') || 'no scope',
    `ends ${minuteOf(expires, 'never')}`,
    `used ${minuteOf(lastUsed, 'never')}`,
  ];
  return [...parts, ...(name === undefined ? [] : [name])].join('  ');
}
