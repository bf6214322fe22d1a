import type { AddCommand } from './command-context.js';
import { addRemoteOptions, type RemoteOptions } from './remote-options.js';

export const addList: AddCommand = (program, { terminal }) => {
  addRemoteOptions(program.command('list').description('list the tools of a running server'))
    .addHelpText('after', '\nExample:\n  $ toolwright list --url http://127.0.0.1:3000/mcp')
    .action(async ({ url, header, json }: RemoteOptions) => {
      const { connectTo } = await import('../remote/connect-to.js');
      const client = await connectTo(url, { headers: header });
      try {
        const tools = await client.tools();
        if (json) return terminal.out(JSON.stringify(tools, null, 2));
        const { formatTools } = await import('../output/format-tools.js');
        for (const line of formatTools(tools, terminal)) terminal.out(line);
      } finally {
        await client.close();
      }
    });
};
