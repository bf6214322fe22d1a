import {
  comment,
  literalText,
  pascalName,
  plainText,
  safeText,
  wordsOf,
  WRITTEN_WIDTH,
} from '@toolwright/json';
import type { TablesPlan } from '../model/planned-table.js';
import { writeTable } from './write-table.js';
import { namesOf } from './table-names.js';

/** Names of databases that say nothing. */
const GENERAL = ['postgres', 'database', 'db', 'template1'];

/**
 * Writes all files of an import: their paths below the folder, and their texts.
 *
 * @param isDeleted whether a person has deleted a file, which stays so
 */
export function writeFiles(
  plan: TablesPlan,
  isDeleted: (file: string) => boolean = () => false,
): Map<string, string> {
  const title = GENERAL.includes(plan.title) ? 'App' : plan.title;
  const words = wordsOf(title).filter((word) => word !== 'database' && word !== 'db');
  const database = `${pascalName(words.join(' ') || 'App')}Database`;
  const names = namesOf(plan.tables, database);
  const origin = plainText(title) || 'App';
  const files = new Map<string, string>();
  for (const table of plan.tables) {
    const own = names.get(table.key)!;
    files.set(`${own.file}.ts`, writeTable(table, { names: own, database, origin }));
  }
  files.set('database.ts', writeDatabase(database, origin, plan));
  const services = plan.tables
    .map(({ key }) => names.get(key)!)
    .filter(({ file }) => !isDeleted(`${file}.ts`));
  files.set('index.ts', writeIndex(database, services));
  return files;
}

function writeDatabase(database: string, origin: string, { settings }: TablesPlan): string {
  const known = settings.filter(({ from }) => from !== undefined);
  const policies = known
    .map(({ name, from }) => `        ${literalText(name)}: principal?.${from},\n`)
    .join('');
  return [
    `import { TableDatabase } from '@toolwright/tables';\n\n`,
    comment(
      [
        `The database ${safeText(origin)}: where it is, how long a statement may take, and whose rows a caller sees.`,
        'Its address comes from the environment, so that no password is in a file.',
      ],
      '',
    ),
    `export class ${database} extends TableDatabase {\n  constructor() {\n    super({\n`,
    `      url: process.env.DATABASE_URL,\n      timeout: '5s',\n`,
    known.length === 0
      ? ''
      : `      // What the policies of row-level security read. A call without them is refused.\n      settings: ({ principal }) => ({\n${policies}      }),\n`,
    '    });\n  }\n}\n',
  ].join('');
}

function writeIndex(database: string, services: readonly { service: string; file: string }[]): string {
  const all = services.map(({ service }) => service);
  const line = `export const services = [${all.join(', ')}];\n`;
  return [
    `import { ${database} } from './database.js';\n`,
    ...services.map(({ service, file }) => `import { ${service} } from './${file}.js';\n`),
    '\n/** The tools of the database, for `services` of `createMcpServer`. */\n',
    line.length <= WRITTEN_WIDTH + 1
      ? line
      : `export const services = [\n${all.map((name) => `  ${name},\n`).join('')}];\n`,
    '\n/** What the services need, for `providers`. */\n',
    `export const providers = [{ provide: ${database}, useFactory: () => new ${database}() }];\n`,
  ].join('');
}
