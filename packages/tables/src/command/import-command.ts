import type { PackageCommand } from '@toolwright/json';
import { runImport, type TablesConsole } from './run-import.js';

/** The commands of this package. */
export const commands: readonly PackageCommand<TablesConsole, string | undefined>[] = [
  {
    words: ['import', 'postgres'],
    description: 'write decorated services from the tables of a PostgreSQL database, or update them',
    argument: {
      name: 'url',
      description: 'the database; without it, DATABASE_URL. pglite:<folder> is one in a folder',
      optional: true,
    },
    options: [
      { flag: '-o, --out <folder>', description: 'the folder of the services', required: true },
      { flag: '--schema <name>', description: 'tables of this schema (public)', repeated: true },
      { flag: '--include <table>', description: 'only such tables; * is any text', repeated: true },
      { flag: '--exclude <table>', description: 'all but these', repeated: true },
      {
        flag: '--write <tables>',
        description: 'tools that insert, update and delete, too, for these tables: film,actor',
        repeated: true,
      },
      { flag: '--prefix <text>', description: 'is put before the name of each tool, such as shop_' },
      { flag: '--title <text>', description: 'what the code calls the database (its own name)' },
      { flag: '--check', description: 'write nothing; exit with 1 if an import would change something' },
      { flag: '-y, --yes', description: 'write into a folder that has other files' },
    ],
    help: [
      '\nThe services are yours: edit them. The next import merges what is new, and never overwrites an edit.',
      'Without --include and the like, an update uses the choices of the last import. The address is kept nowhere.',
      '\nExit codes: 0 done; 1 the database cannot be read, or no table is left; 2 the folder has other files;',
      '3 there are conflicts. With --check: 0 the same, 1 differs, 2 the database cannot be read.',
      '\nExample:\n  $ toolwright import postgres postgres://reader@localhost/shop --out src/shop --write orders',
    ].join('\n'),
    run: runImport,
  },
];
