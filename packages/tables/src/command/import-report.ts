import type { PlannedTable, TablesPlan } from '../model/planned-table.js';
import { contractsOf, tokensOfContract } from '../write/table-contract.js';

const LARGEST = 5;
const SHOWN_NOTES = 12;
const SHOWN_TABLES = 10;
/** More than this fills a context. It is the budget of `toolwright lint`. */
const MANY = 10_000;

/** What an import makes of a database, as lines for a terminal. */
export function reportLines({ tables, total, skipped, notes }: TablesPlan): string[] {
  const sizes = tables
    .flatMap(contractsOf)
    .map((contract) => ({ tool: contract.name, tokens: tokensOfContract(contract) }))
    .sort((a, b) => b.tokens - a.tokens);
  const tokens = sizes.reduce((sum, each) => sum + each.tokens, 0);
  const written = tables.filter(({ tools }) => tools.insert !== undefined);
  const views = tables.filter(({ isView, isWritten }) => isView && isWritten);
  const keyless = tables.filter(({ keyMembers, isView }) => !keyMembers && !isView);
  return [
    `${tables.length} of ${total} tables and views become ${sizes.length} tools: about ${number(tokens)} tokens.`,
    `The largest: ${sizes
      .slice(0, LARGEST)
      .map((each) => `${each.tool} ${number(each.tokens)}`)
      .join(', ')}.`,
    ...reasonLines(skipped),
    ...(written.length > 0
      ? [`Written, too: ${labels(written)}. Updates and deletions ask the user.`]
      : ['Nothing is written: name tables with --write to have it.']),
    ...(views.length > 0 ? [`Rows of views are not written: ${labels(views)}.`] : []),
    ...(keyless.length > 0 ? [`Without a key, so no row of them can be named: ${labels(keyless)}.`] : []),
    ...notes.slice(0, SHOWN_NOTES),
    ...(notes.length > SHOWN_NOTES ? [`And ${notes.length - SHOWN_NOTES} more notes.`] : []),
    ...(tokens > MANY ? ['A model reads all of that in each conversation. --include chooses tables.'] : []),
  ];
}

/** The first of many, for a terminal. */
const labels = (tables: readonly PlannedTable[]) =>
  `${tables
    .slice(0, SHOWN_TABLES)
    .map(({ label }) => label)
    .join(', ')}${tables.length > SHOWN_TABLES ? ` and ${tables.length - SHOWN_TABLES} more` : ''}`;

function reasonLines(skipped: TablesPlan['skipped']): string[] {
  const reasons = new Map<string, number>();
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [...reasons].map(([reason, count]) => `Left out: ${count} (${reason}).`);
}

const number = (value: number) => value.toLocaleString('en-US');
