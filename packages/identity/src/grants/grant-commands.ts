import type { UserGrant } from '@toolwright/json';
import {
  jsonOption,
  minuteOf,
  type StorePlace,
  storeCommand,
  type StoreCommand,
  storeOptions,
  textOf,
} from '../commands/store-command.js';
import { userGrants } from './user-grants.js';

const grantsIn = ({ records, secrets }: StorePlace) => userGrants({ records, secrets });

/** The commands for operators. `toolwright grants` and `toolwright-operate grants` are these. */
export const grantCommands: readonly StoreCommand[] = [
  storeCommand({
    words: ['list'],
    description: 'list what users have granted, the oldest first',
    options: [
      ...storeOptions,
      { flag: '--subject <name>', description: 'only those of this user' },
      jsonOption,
    ],
    async act(place, _id, values) {
      const subject = textOf(values, 'subject');
      const all = (await grantsIn(place).list()).filter(
        (grant) => subject === undefined || grant.subject === subject,
      );
      if (values['json']) return JSON.stringify(all, undefined, 2);
      return all.length > 0 ? all.map(lineOf).join('\n') : 'There are no grants.';
    },
  }),
  storeCommand({
    words: ['revoke'],
    description: 'end a grant now, here and at its issuer',
    argument: { name: 'id', description: 'the id of the grant' },
    options: [
      ...storeOptions,
      {
        flag: '--client-secret <name>',
        description:
          "the variable with the secret of the rule's client; without it, the client is a public one",
      },
    ],
    async act(place, id, values) {
      const name = textOf(values, 'client-secret') ?? textOf(values, 'clientSecret');
      const clientSecret = name === undefined ? undefined : process.env[name];
      if (name !== undefined && !clientSecret) return { failure: `Set ${name} to the secret of the client.` };
      const done = await grantsIn(place).revoke(id, clientSecret === undefined ? {} : { clientSecret });
      if (!done) return { failure: `There is no grant ${id}.` };
      if (done.outcome === 'revoked') return `The grant ${id} is revoked, here and at its issuer.`;
      if (done.outcome === 'not at the issuer')
        return `The grant ${id} is revoked here. Its issuer has no way to revoke it.`;
      return {
        failure: `No tool can use the grant ${id} any more, but its issuer has not revoked it: ${done.reason}. Run the command again, with --client-secret if the client has a secret.`,
      };
    },
  }),
];

function lineOf({ id, subject, tenant, resource, scopes, created, renewed, revoked }: UserGrant): string {
  const parts = [
    id,
    tenant === undefined ? subject : `${subject} (${tenant})`,
    resource,
    scopes.join(' ') || 'no scope',
    `granted ${minuteOf(created, 'never')}`,
    `refreshed ${minuteOf(renewed, 'never')}`,
  ];
  return [...parts, ...(revoked ? ['revoked here only'] : [])].join('  ');
}
