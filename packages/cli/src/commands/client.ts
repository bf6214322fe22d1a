import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { AddCommand } from '@toolwright/operate';
import { addSourceOptions, type SourceOptions } from './remote.js';

interface ClientOptions extends SourceOptions {
  out: string;
  name: string;
}

export const addClient: AddCommand = (program, { terminal }) => {
  addSourceOptions(program.command('client'))
    .description('write a typed client in TypeScript, one method per tool')
    .option('-o, --out <file>', 'where to write it', 'client.ts')
    .option('-n, --name <class>', 'the name of the class', readName, 'ToolClient')
    .addHelpText(
      'after',
      '\nThe client is written for @modelcontextprotocol/client, which your program installs.' +
        '\n\nExample:\n  $ toolwright client --url http://127.0.0.1:3000/mcp --out src/pages-client.ts --name PagesClient',
    )
    .action(async ({ out, name, project, ...source }: ClientOptions) => {
      const { publishedTools } = await import('../published/published-tools.js');
      const { writeAtomically } = await import('../changes/write-atomically.js');
      const { writeClient } = await import('../client/write-client.js');
      const tools = await publishedTools({
        ...source,
        cwd: terminal.cwd,
        project: resolve(terminal.cwd, project),
        natural: true,
        needsApp: terminal.err,
      });
      writeAtomically(resolve(terminal.cwd, out), writeClient(tools, name), terminal.cwd);
      terminal.out(`${out}: ${name} with ${tools.length} tools`);
    });
};

function readName(text: string): string {
  if (/^[A-Z]\w*$/.test(text)) return text;
  throw new InvalidArgumentError('It is a name for a class, such as PagesClient.');
}
