import { InvalidArgumentError, Option, type Command } from 'commander';

export interface RemoteOptions {
  url: URL;
  header: Record<string, string>;
  app?: string;
  stdio?: string;
  json?: boolean;
}

/** Adds the options of every command that uses a running server. */
export function addRemoteOptions(command: Command): Command {
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
    .option('--json', 'print the answer as JSON');
}

export function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new InvalidArgumentError('It must be an http or https URL.');
}

export function addHeader(text: string, headers: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Write it as "Name: value".');
  return { ...headers, [name.toLowerCase()]: value! };
}
