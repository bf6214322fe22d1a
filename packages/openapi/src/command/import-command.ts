import type { PackageCommand } from '@toolwright/json';
import { type ImportConsole, runImport } from './run-import.js';

/** The commands of this package. */
export const commands: readonly PackageCommand<ImportConsole>[] = [
  {
    words: ['import', 'openapi'],
    description: 'write decorated services from an OpenAPI specification, or update them',
    argument: { name: 'file', description: 'the specification: JSON or YAML, 2.0, 3.0 or 3.1' },
    options: [
      { flag: '-o, --out <folder>', description: 'the folder of the services', required: true },
      { flag: '--base-url <url>', description: 'where the API is; API_BASE_URL wins when the server runs' },
      {
        flag: '--include <pattern>',
        description: 'only operations with such an operationId, METHOD /path or tag; * is any text',
        repeated: true,
      },
      { flag: '--exclude <pattern>', description: 'all but these', repeated: true },
      {
        flag: '--group-by <what>',
        description: 'a service per tag or per path (tag)',
        choices: ['tag', 'path'],
      },
      {
        flag: '--detail <level>',
        description: 'how much a model reads of each operation: less, usual or more (usual)',
        choices: ['less', 'usual', 'more'],
      },
      { flag: '--prefix <text>', description: 'is put before the name of each tool, such as github_' },
      { flag: '--max-tools <n>', description: 'write no more tools than this' },
      {
        flag: '--allow-ref <folder>',
        description: 'read files that the specification refers to in this folder, too',
        repeated: true,
      },
      { flag: '--report <file>', description: 'write the report as JSON, too' },
      { flag: '--check', description: 'write nothing; exit with 1 if an import would change something' },
      { flag: '-y, --yes', description: 'ask nothing, and write into a folder that has other files' },
    ],
    help: [
      '\nThe services are yours: edit them. The next import merges what is new, and never overwrites an edit.',
      'Without --include and the like, an update uses the choices of the last import.',
      '\nExit codes: 0 done; 1 the file cannot be read, or no operation is left; 2 the folder has other files;',
      '3 there are conflicts. With --check: 0 the same, 1 differs, 2 the file cannot be read.',
      '\nExample:\n  $ toolwright import openapi petstore.json --out src/petstore --include "GET *"',
    ].join('\n'),
    run: runImport,
  },
];
