import { count, present } from '@toolwright/json';
import type { McpServer } from '@toolwright/core';
import { optionRules } from '@toolwright/core/options';
import { type Gateway, GatewayFileError, readGateway } from '../gateway/open-gateway.js';
import type { MountedServer } from '../mount-server.js';
import type { MountConsole, MountCommand } from './mount-commands.js';

/** `toolwright serve`: a gateway from a configuration file alone. */
export const serveCommand: MountCommand = {
  words: ['serve'],
  description: 'serve the MCP servers of a configuration file as one, with guards and an audit log',
  argument: { name: 'config', description: 'a JSON file with "mcpServers", as hosts have it' },
  options: [
    { flag: '--port <port>', description: 'the port of HTTP; 0: any free one; default: PORT, or else 3000' },
    { flag: '--stdio', description: 'serve on standard input and output, in place of HTTP' },
    {
      flag: '--console [port]',
      description: 'a page on this machine with the state of the servers; default port: any free one',
    },
  ],
  help: [
    '\nIt prints one line when it is ready. ${NAME} in the file is the value of a variable, ${NAME:-text} has a default.',
    'Exit code 1: the file has problems. Each is printed with its line.',
    '\nExamples:\n  $ toolwright serve mcp.json --port 3000\n  $ toolwright serve mcp.json --stdio',
  ].join('\n'),
  run: serve,
};

async function serve(
  file: string,
  { port, stdio, console: page }: { port?: string; stdio?: boolean; console?: true | string },
  console: MountConsole,
): Promise<number> {
  try {
    const gateway = readGateway(file, console.cwd);
    const wanted = portOf(port ?? gateway.options.port ?? process.env['PORT'] ?? 3000);
    const pagePort = page === undefined ? undefined : page === true ? 0 : portOf(page);
    const http = stdio ? undefined : await console.serving.http();
    const oauth =
      http && gateway.options.signIn
        ? gateway.use('signIn', (options) => http.oauthResourceServer(options))
        : undefined;
    const audit =
      gateway.audit && (await (await console.serving.audit()).openAuditSink({ file: gateway.audit }));
    const { server, mounts } = await gateway.open({ audit: audit ?? false });
    if (stdio) await overStdio(server, { gateway, mounts, console });
    else await overHttp(server, { gateway, mounts, console, port: wanted, oauth });
    if (pagePort !== undefined) {
      const url = await showConsole(server, pagePort, console);
      // Standard output belongs to the protocol with --stdio.
      (stdio ? console.err : console.out)(`console: ${url}`);
    }
    return 0;
  } catch (error) {
    for (const line of linesOf(error)) console.err(line);
    return 1;
  }
}

interface Ready {
  readonly gateway: Gateway;
  readonly mounts: readonly MountedServer[];
  readonly console: MountConsole;
}

async function overHttp(
  server: McpServer,
  { gateway, mounts, console, port, oauth }: Ready & { port: number; oauth: unknown },
): Promise<void> {
  const { host, allowedHosts, name } = gateway.options;
  const { serveHttp } = await console.serving.http();
  try {
    const options = present({ port, host, allowedHosts, oauth });
    const { url } = await serveHttp(server, options);
    console.out(`${name} listening on ${url} (${summary(mounts)})`);
  } catch (error) {
    await server.close(0);
    throw error;
  }
}

async function overStdio(server: McpServer, { gateway, mounts, console }: Ready): Promise<void> {
  const { serveStdio } = await console.serving.stdio();
  await serveStdio(server);
  // Standard output belongs to the protocol.
  console.err(`${gateway.options.name} serves standard input and output (${summary(mounts)})`);
}

/** Whoever has the address may restart a server and accept a change, and can call nothing. */
async function showConsole(server: McpServer, port: number, { serving }: MountConsole): Promise<string> {
  const { serveConsole } = await serving.console();
  const access = ['read', 'change'] as const;
  return (await serveConsole(server, { port, access, command: 'toolwright serve' })).url;
}

function summary(mounts: readonly MountedServer[]): string {
  const all = mounts.map((mount) => mount.status());
  const down = all.filter(({ state }) => state !== 'up').length;
  const held = all.reduce((sum, each) => sum + each.held.length, 0);
  const operations = all.reduce((sum, each) => sum + each.operations, 0);
  return [
    count(all.length, 'server'),
    count(operations, 'operation'),
    ...(down > 0 ? [`${down} down`] : []),
    ...(held > 0 ? [`${count(held, 'change')} held back`] : []),
  ].join(', ');
}

function portOf(value: unknown): number {
  const port = Number(value);
  if (optionRules.port.accepts(port)) return port;
  throw new GatewayFileError([`${String(value)} is not a port.`]);
}

/** Our own errors say what to do. Others are from the system, such as a port that is taken. */
export function linesOf(error: unknown): string[] {
  if (error instanceof GatewayFileError) return [...error.lines];
  const { problems, message } = error as {
    problems?: readonly { message: string; fix: string }[];
    message: string;
  };
  return problems ? problems.map((each) => `${each.message} ${each.fix}`) : [message];
}
