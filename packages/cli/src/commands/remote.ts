import { type Command, InvalidArgumentError, Option } from 'commander';
import { type AddCommand, visibleJson } from '@toolwright/operate';

interface RemoteOptions {
  url: URL;
  header: Record<string, string>;
  app?: string;
  stdio?: string;
  json?: boolean;
  as?: string;
}

/** Adds the options of every command that uses a running server. */
function addRemoteOptions(command: Command): Command {
  return command
    .addOption(
      new Option('-u, --url <url>', 'the endpoint of the server')
        .env('TOOLWRIGHT_URL')
        .default(new URL('http://127.0.0.1:3000/mcp'), 'http://127.0.0.1:3000/mcp')
        .argParser(parseUrl),
    )
    .option('-a, --app <command>', 'start this HTTP app, and stop it after the command')
    .addOption(
      new Option(
        '-s, --stdio <command>',
        'start this server on standard input and output, and stop it after the command',
      ).conflicts(['url', 'app']),
    )
    .option(
      '-H, --header <name: value>',
      'an HTTP header to send, such as Authorization; may be repeated',
      addHeader,
      {},
    )
    .addOption(
      new Option('--as <user>', 'sign in as a test user of the local issuer of "toolwright dev"').conflicts([
        'app',
        'stdio',
      ]),
    )
    .option('--json', 'print the answer as JSON');
}

/** The headers of the person, with the token of the test user that they want to be. */
async function headersOf({ header, as, url }: RemoteOptions): Promise<Record<string, string>> {
  if (as === undefined) return header;
  const { testUserToken } = await import('../remote/test-user-token.js');
  return { ...header, authorization: `Bearer ${await testUserToken(url, as)}` };
}

export function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

function addHeader(text: string, headers: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Write it as "Name: value".');
  return { ...headers, [name.toLowerCase()]: value! };
}

export interface SourceOptions {
  project: string;
  url?: URL;
  header: Record<string, string>;
}

/** Adds the options of every command that reads tools from a project or a running server. */
export function addSourceOptions(command: Command): Command {
  return command
    .option('-p, --project <tsconfig>', 'the built project whose tools are read', 'tsconfig.json')
    .addOption(new Option('-u, --url <url>', 'read them from a running server instead').argParser(parseUrl))
    .option('-H, --header <name: value>', 'an HTTP header to send to it; may be repeated', addHeader, {});
}

export const addList: AddCommand = (program, { terminal }) => {
  addRemoteOptions(program.command('list').description('list the tools of a server'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ toolwright list --url http://127.0.0.1:3000/mcp\n  $ toolwright list --app dist/main.js\n  $ toolwright list --stdio "npx some-mcp-server"',
    )
    .action(async (options: RemoteOptions) => {
      const { openRemote } = await import('../remote/open-remote.js');
      const { json } = options;
      const remote = await openRemote(options, { http: { headers: await headersOf(options) } }, terminal);
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
    .action(async (tool: string, words: string[], options: RemoteOptions) => {
      const { callRemoteTool } = await import('../remote/call-remote-tool.js');
      const headers = await headersOf(options);
      const { json = false } = options;
      exit(await callRemoteTool({ target: options, headers, tool, words, json }, terminal));
    });
};
