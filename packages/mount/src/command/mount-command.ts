import { createMcpServer, type McpServer } from '@toolwright/core';
import { count, cutText, type MountStatus, showHidden, showHiddenInLine } from '@toolwright/json';
import { silentLogger } from '@toolwright/core/ports';
import { mountServer } from '../mount-server.js';
import type { MountOptions } from '../options.js';
import type { MountConsole, MountCommand } from './mount-commands.js';
import { linesOf } from './serve-command.js';

/** `toolwright mount`: tries one server, and shows what a gateway would get of it. */
export const mountCommand: MountCommand = {
  words: ['mount'],
  description: 'try an MCP server: what it offers, and what to look at before you mount it',
  argument: { name: 'server...', description: 'its URL, or the command that starts it' },
  options: [
    {
      flag: '-H, --header <name: value>',
      description: 'a header of requests; may be repeated',
      repeated: true,
    },
    { flag: '--env <NAME=value>', description: 'a variable of the process; may be repeated', repeated: true },
    { flag: '--json', description: 'print JSON' },
  ],
  help: [
    '\nOptions stand before the server. A process gets the variables of --env, PATH, and nothing else.',
    'Relative paths begin in the folder where you call this command; in a server, at its working directory, unless "cwd" is set.',
    'Exit code 1: the server cannot be reached.',
    '\nExamples:\n  $ toolwright mount https://mcp.example.com/mcp',
    '  $ toolwright mount npx -y @modelcontextprotocol/server-everything',
  ].join('\n'),
  passThrough: true,
  run: tryServer,
};

interface Values {
  readonly header?: readonly string[];
  readonly env?: readonly string[];
  readonly json?: boolean;
}

async function tryServer(words: readonly string[], values: Values, console: MountConsole): Promise<number> {
  const server = await createMcpServer({
    name: 'toolwright-mount',
    version: '1.0.0',
    services: [],
    audit: false,
    logger: silentLogger,
  });
  const startedAt = performance.now();
  try {
    const options = optionsOf(words, values);
    const mount = await mountServer(server, 'server', { ...options, required: true });
    const ms = Math.round(performance.now() - startedAt);
    const status = mount.status();
    if (values.json) console.json(asJson(server, status, ms));
    else for (const line of report(server, status, ms)) console.out(line);
    return 0;
  } catch (error) {
    for (const line of linesOf(error)) console.err(line + causeOf(error));
    return 1;
  } finally {
    await server.close(0);
  }
}

function optionsOf(
  [first = '', ...rest]: readonly string[],
  { header = [], env = [] }: Values,
): MountOptions {
  if (!/^https?:\/\//.test(first))
    return { command: first, args: rest, ...(env.length > 0 && { env: pairs(env, '=') }) };
  return { url: first, ...(header.length > 0 && { headers: pairs(header, ':') }) };
}

function pairs(all: readonly string[], sign: string): Record<string, string> {
  return Object.fromEntries(
    all.map((each) => {
      const at = each.indexOf(sign);
      if (at < 1) throw new Error(`"${each}" has no name: write it as name${sign}value.`);
      return [each.slice(0, at).trim(), each.slice(at + 1).trim()];
    }),
  );
}

function* report(server: McpServer, status: MountStatus, ms: number): Generator<string> {
  const { server: about, era, left, suspicious } = status;
  const named = about ? `${about.name} ${about.version}` : 'The server';
  yield showHiddenInLine(`${named}, ${era ?? 'stateful'}, ready in ${ms} ms: ${counts(server)}`);
  for (const { name, description = '' } of server.tools.list())
    yield showHiddenInLine(`  ${name}  ${cutText(description.split('\n', 1)[0]!, 100)}`.trimEnd());
  for (const { kind, name, words } of suspicious)
    yield showHiddenInLine(`read this: ${kind} ${name}: ${words}`);
  for (const { kind, name, reason } of left) yield showHiddenInLine(`left out: ${kind} ${name}: ${reason}`);
}

function counts({ tools, prompts, resources, resourceTemplates }: McpServer): string {
  const all = [
    [tools.list().length, 'tool'],
    [prompts.list().length, 'prompt'],
    [resources.list().length, 'resource'],
    [resourceTemplates.list().length, 'template'],
  ] as const;
  return all.map(([number, noun]) => count(number, noun)).join(', ');
}

function asJson(
  server: McpServer,
  { server: about, era, left, suspicious }: MountStatus,
  ms: number,
): object {
  const tools = server.tools.list().map(({ name, description }) => ({ name, description }));
  return { server: about, era, ms, tools, left, suspicious };
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { message?: string } };
  return cause?.message === undefined ? '' : ` ${showHidden(cutText(cause.message, 500))}`;
}
