import { plainText, wordsOf } from '@toolwright/json';
import type { DatabaseCatalogue, CatalogueTable } from '../catalogue/catalogue.js';
import type { TablesPlan } from './planned-table.js';
import { keyOf } from './select-tables.js';

const OF_TENANTS = new Set(
  'tenant org organisation organization company account customer workspace team'.split(' '),
);
const OF_SUBJECTS = new Set('user subject sub uid person member username login'.split(' '));

/** What a setting is of the caller, as far as its name says it. */
function sourceOf(name: string): 'tenant' | 'subject' | undefined {
  const words = wordsOf(name.split('.').at(-1)!);
  if (words.some((word) => OF_TENANTS.has(word))) return 'tenant';
  return words.some((word) => OF_SUBJECTS.has(word)) ? 'subject' : undefined;
}

/** The settings that policies of the chosen tables read: a call has to set them. */
export function planSettings(
  { policies, role, bypassesPolicies }: DatabaseCatalogue,
  chosen: readonly CatalogueTable[],
): Pick<TablesPlan, 'settings' | 'notes'> {
  const secured = chosen.filter(
    (table) => table.rowSecurity || (table.reads.length > 0 && !table.passesPolicies),
  );
  const read = new Set(secured.flatMap(({ reads }) => reads));
  const ids = new Set(secured.map(({ id }) => id));
  const texts = policies
    .filter(({ table, name }) => ids.has(table) || read.has(name))
    .map(({ text }) => text);
  const names = texts.flatMap((text) =>
    [...text.matchAll(/current_setting\('((?:[^']|'')+)'/g)].map(([, name]) => name!.replaceAll("''", "'")),
  );
  const settings = [...new Set(names)].sort().map((name) => ({ name, from: sourceOf(name) }));
  return {
    settings,
    notes: secured.length === 0 ? [] : notesOn(secured, { settings, role, bypassesPolicies }),
  };
}

function notesOn(
  secured: readonly CatalogueTable[],
  {
    settings,
    role,
    bypassesPolicies,
  }: Pick<TablesPlan, 'settings'> & Pick<DatabaseCatalogue, 'role' | 'bypassesPolicies'>,
): string[] {
  const known = settings.filter(({ from }) => from !== undefined);
  const unknown = settings.filter(({ from }) => from === undefined);
  return [
    `Row-level security: ${secured.map(keyOf).join(', ')}.`,
    ...(known.length > 0
      ? [
          `database.ts sets ${known.map(({ name, from }) => `${name} from the caller's ${from}`).join(', ')}. Check it.`,
        ]
      : []),
    ...(unknown.length > 0
      ? [
          `Nothing says what of the caller ${unknown.map(({ name }) => name).join(', ')} is. Say it in database.ts.`,
        ]
      : []),
    ...(settings.length === 0
      ? ['Its policies read no setting that can be seen. Say in database.ts how they know the caller.']
      : []),
    ...(bypassesPolicies
      ? [
          `The role ${plainText(role)} bypasses policies. Let the server connect as another one, or give it the option "role".`,
        ]
      : []),
  ];
}
