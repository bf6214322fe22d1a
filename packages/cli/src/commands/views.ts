import type { McpClient } from '@toolwright/client';
import type { AddCommand, CommandContext } from '@toolwright/operate';
import type { NamedTarget } from '../remote/named-target.js';
import { addPackageCommand } from './package-command.js';

/** The package of the app shows its pages. */
export const addViews: AddCommand = (program, context) => {
  const group = program.command('views').description('look at the pages that tools show');
  const test = {
    words: ['views', 'test'],
    description: 'show the pages of tools in emulations of hosts, and say what is wrong with them',
    usage: '[options] [view]',
    package: '@toolwright/views',
    isForDevelopment: true,
  };
  addPackageCommand(group, test, context, servers);
};

/** What a host says that shows pages. */
const capabilities = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

/** Opens the server that the options of the command name, as a client that shows pages. */
async function servers({ terminal }: CommandContext): Promise<object> {
  const { useRemote } = await import('../remote/open-remote.js');
  const { namedTarget } = await import('../remote/named-target.js');
  return {
    withServer<T>(values: NamedTarget, use: (client: McpClient) => Promise<T>): Promise<T> {
      return useRemote({ ...namedTarget(values), client: { capabilities } as never }, terminal, use);
    },
  };
}
