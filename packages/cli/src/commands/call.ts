import type { AddCommand } from './command-context.js';
import { addRemoteOptions, type RemoteOptions } from './remote-options.js';

export const addCall: AddCommand = (program, { terminal, exit }) => {
  addRemoteOptions(program.command('call').description('call a tool of a server'))
    .argument('<tool>', 'name of the tool')
    .argument('[arguments...]', 'arguments of the tool: --name value')
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nWrite options of toolwright before the name of the tool, and arguments of the tool after it. At a terminal ' +
        'the command asks you the questions of the tool. Elsewhere it asks nothing.' +
        '\n\nExamples:\n  $ toolwright call search_pages --query decorator --limit 5' +
        '\n  $ toolwright call --app dist/main.js find_notes --query milk' +
        '\n  $ toolwright call --json create_page --input \'{"title":"Notes"}\'',
    )
    .action(async (tool: string, words: string[], { header, json = false, ...target }: RemoteOptions) => {
      const { callRemoteTool } = await import('../remote/call-remote-tool.js');
      exit(await callRemoteTool({ target, headers: header, tool, words, json }, terminal));
    });
};
