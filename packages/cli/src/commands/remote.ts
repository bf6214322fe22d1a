import { visibleJson } from '@toolwright/operate/terminal';
import { type Command, Option } from 'commander';
import type { AddCommand } from '@toolwright/operate';
import {
  addRemoteOptions,
  headerOption,
  inputOption,
  parseUrl,
  type RemoteFlags,
} from '../remote/remote-options.js';

export interface SourceOptions {
  project: string;
  url?: URL;
  app?: string;
  tenant?: string;
  config?: string;
  header: Record<string, string>;
}

/** The option of every command that can look at the server of an app. */
export const appOption = () =>
  new Option('--app <file>', "look at the app's own server: run this compiled file until it would serve");

/** Adds the options of every command that reads tools from a project or a running server. */
export function addSourceOptions(command: Command): Command {
  return command
    .option('-p, --project <tsconfig>', 'the built project whose tools are read', 'tsconfig.json')
    .addOption(appOption())
    .option('--tenant <tenant>', 'with --app: read what callers of this tenant see')
    .addOption(
      new Option('-u, --url <url>', 'read them from a running server instead')
        .argParser(parseUrl)
        .conflicts('app'),
    )
    .addOption(headerOption('an HTTP header to send to it; may be repeated'));
}

export const addList: AddCommand = (program, { terminal }) => {
  addRemoteOptions(program.command('list').description('list the tools of a server'), '60s')
    .addHelpText(
      'after',
      '\nExamples:\n  $ toolwright list --url http://127.0.0.1:3000/mcp\n  $ toolwright list --app dist/main.js\n  $ toolwright list --stdio "npx some-mcp-server"',
    )
    .action(async (flags: RemoteFlags) => {
      const { useRemote } = await import('../remote/open-remote.js');
      const { listTools } = await import('../remote/list-tools.js');
      const { formatTools } = await import('../output/format-tools.js');
      await useRemote(flags, terminal, async (client) => {
        const tools = await listTools(client, terminal.err.bind(terminal));
        if (flags.json) return terminal.out(visibleJson(tools));
        for (const line of formatTools(tools, terminal)) terminal.out(line);
      });
    });
};

export const addCall: AddCommand = (program, { terminal, exit }) => {
  addRemoteOptions(program.command('call').description('call a tool of a server'), '5m')
    .argument('<tool>', 'name of the tool')
    .argument('[arguments...]', 'arguments of the tool: --name value')
    .addOption(inputOption())
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nOptions of toolwright stand before the name of the tool, or after it if the tool has no argument of that name. ' +
        'At a terminal the command asks you the questions of the tool. Elsewhere it asks nothing.' +
        '\n\nExamples:\n  $ toolwright call search_pages --query decorator --limit 5' +
        '\n  $ toolwright call --app dist/main.js find_notes --query milk' +
        '\n  $ toolwright call --json create_page --input \'{"title":"Notes"}\'',
    )
    .action(async (tool: string, words: string[], flags: RemoteFlags) => {
      const { callRemoteTool } = await import('../remote/call-remote-tool.js');
      exit(await callRemoteTool({ flags, tool, words }, terminal));
    });
};

export const addRead: AddCommand = (program, { terminal }) => {
  addRemoteOptions(program.command('read').description('read a resource of a server, or list them'), '60s')
    .argument('[uri]', 'the address of the resource, or a template; without it, the resources are listed')
    .argument('[variables...]', 'variables of the template: --name value')
    .addOption(inputOption())
    .addOption(new Option('-o, --out <file>', 'write its bytes into this file').conflicts('json'))
    .option(
      '--complete <variable>',
      'print what the server suggests for this variable, after what you wrote of it',
    )
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nExamples:\n  $ toolwright read --server notes\n  $ toolwright read notes://today --app dist/main.js' +
        "\n  $ toolwright read 'notes://{id}' --id 5" +
        '\n  $ toolwright read ui://chart/logo.png --out logo.png',
    )
    .action(async (uri: string | undefined, words: string[], flags: RemoteFlags, command: Command) => {
      if (/^(?:--help|-h)$/.test(words[0] ?? '')) command.help();
      const { readRemoteResource } = await import('../remote/read-remote.js');
      await readRemoteResource({ flags, uri, words }, terminal);
    });
};

export const addPrompt: AddCommand = (program, { terminal }) => {
  addRemoteOptions(program.command('prompt').description('get a prompt of a server, or list them'), '60s')
    .argument('[prompt]', 'name of the prompt; without it, the prompts are listed')
    .argument('[arguments...]', 'arguments of the prompt: --name value')
    .addOption(inputOption())
    .option(
      '--complete <argument>',
      'print what the server suggests for this argument, after what you wrote of it',
    )
    .passThroughOptions()
    .addHelpText(
      'after',
      '\nOptions of toolwright stand before the name of the prompt, or after it if the prompt has no argument of that name.' +
        '\n\nExamples:\n  $ toolwright prompt review --language TypeScript' +
        '\n  $ toolwright prompt --complete language review --language Ty',
    )
    .action(async (prompt: string | undefined, words: string[], flags: RemoteFlags) => {
      const { getRemotePrompt } = await import('../remote/read-remote.js');
      await getRemotePrompt({ flags, prompt, words }, terminal);
    });
};
