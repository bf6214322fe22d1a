import type { AddCommand } from './command-context.js';
import { visibleJson } from '../terminal/visible-text.js';
import { addRemoteOptions, type RemoteOptions } from './remote-options.js';

export const addList: AddCommand = (program, { terminal }) => {
  addRemoteOptions(program.command('list').description('list the tools of a server'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ toolwright list --url http://127.0.0.1:3000/mcp\n  $ toolwright list --app dist/main.js\n  $ toolwright list --stdio "npx some-mcp-server"',
    )
    .action(async ({ header, json, ...target }: RemoteOptions) => {
      const { openRemote } = await import('../remote/open-remote.js');
      const remote = await openRemote(target, { http: { headers: header } }, terminal);
      try {
        const tools = await remote.client.tools();
        if (json) return terminal.out(visibleJson(tools));
        const { formatTools } = await import('../output/format-tools.js');
        for (const line of formatTools(tools, terminal)) terminal.out(line);
      } finally {
        await remote.close();
      }
    });
};
