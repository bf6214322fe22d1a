import type { McpClient } from '@toolwright/client';
import type { AddCommand, CommandContext } from '@toolwright/operate';
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

/** The options with which `views test` names a server, as its package reads them. */
interface NamedTarget {
  readonly url?: string;
  readonly app?: string;
  readonly stdio?: string;
  readonly header?: readonly string[];
  readonly as?: string;
}

/** Opens the server that the options of the command name, as a client that shows pages. */
async function servers({ terminal }: CommandContext): Promise<object> {
  const { useRemote } = await import('../remote/open-remote.js');
  const { addHeader, parseUrl, taken } = await import('../remote/remote-options.js');
  const { defaultLimits } = await import('../remote/limits.js');
  return {
    withServer<T>(
      { url = 'http://127.0.0.1:3000/mcp', header = [], app, stdio, as }: NamedTarget,
      use: (client: McpClient) => Promise<T>,
    ): Promise<T> {
      const target = {
        url: taken('url', () => parseUrl(url)),
        header: taken('header', () => header.reduce((all, each) => addHeader(each, all), {})),
        ...(app !== undefined && { app }),
        ...(stdio !== undefined && { stdio }),
        ...(as !== undefined && { as }),
      };
      return useRemote({ ...target, ...defaultLimits, client: { capabilities } as never }, terminal, use);
    },
  };
}
