import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ToolResult } from '@toolwright/core';
import type { ClientOptions, ListedTool, McpClient, RequestOptions } from '@toolwright/client';
import {
  type CommandError,
  type Terminal,
  exitCodes,
  inLine,
  visibleJson,
  usageError,
} from '@toolwright/operate/terminal';
import { type JsonSchema, codeOf, definitionWithoutLongIntegers, reasonOf } from '@toolwright/json';
import { formatResult } from '../output/format-result.js';
import { formatTools } from '../output/format-tools.js';
import { quietWhileAsked } from '../terminal/quiet-while-asked.js';
import { argumentShapes } from './argument-shape.js';
import { askPerson } from './ask-person.js';
import { mirroredHeaders } from './mirrored-headers.js';
import { listTools } from './list-tools.js';
import { useRemote } from './open-remote.js';
import { nearName, parseArguments } from './parse-arguments.js';
import { mayBeElsewhere, type RemoteFlags, takeOptions } from './remote-options.js';

export interface RemoteCall {
  flags: RemoteFlags;
  tool: string;
  /** The tool's arguments as the shell passes them. Options of the command may be among them. */
  words: readonly string[];
}

/**
 * Calls a tool and prints its result.
 *
 * @returns the exit code; a result with `isError` is a failure
 */
export async function callRemoteTool(call: RemoteCall, shown: Terminal): Promise<number> {
  const terminal = quietWhileAsked(shown);
  let mirrored: Record<string, string> = {};
  const headersFor = ({ method }: { readonly method: string }) => (method === 'tools/call' ? mirrored : {});
  const speech = { headersFor, client: answersOf(terminal) };
  const schemaOf = async (client: McpClient) =>
    (await findTool(client, call.tool, () => undefined)).inputSchema;
  const given = await flagsOf({ ...call, schemaOf }, terminal);
  return useRemote({ ...given, ...speech }, terminal, async (client) => {
    const tool = await findTool(client, call.tool, terminal.err.bind(terminal));
    const schema = tool.inputSchema;
    const { words, flags } = takeOptions(call.words, given, schema);
    if (asksForHelp(words, schema)) {
      for (const line of formatTools([tool], terminal)) terminal.out(line);
      return exitCodes.ok;
    }
    const args = parseArguments(words, schema, { input: flags.input, readText: readerIn(terminal) });
    mirrored = mirroredHeaders(schema, args);
    const result = await client
      .call(call.tool, args, progressOf(terminal))
      .finally(() => terminal.status?.(''));
    await print(result, flags.json ?? false, terminal);
    return result.isError ? exitCodes.failed : exitCodes.ok;
  });
}

/** Words for a tool or a prompt, and how a server says what it takes. */
interface GivenWords<Flags extends RemoteFlags> extends Pick<RemoteCall, 'words'> {
  flags: Flags;
  schemaOf(client: McpClient): Promise<JsonSchema>;
}

/**
 * The options of the command, with those after the name of the tool that say which server it is and how to talk to it. A name
 * may be that of an argument of the tool as well: the server that was named before knows it.
 */
export async function flagsOf<Flags extends RemoteFlags>(
  { flags, words, schemaOf }: GivenWords<Flags>,
  terminal: Terminal,
): Promise<Flags> {
  if (!words.some(mayBeElsewhere)) return flags;
  const silent = { cwd: terminal.cwd, env: terminal.env, err: () => undefined };
  const schema = await useRemote(flags, silent, schemaOf).catch(() => ({}));
  return takeOptions(words, flags, schema).flags;
}

async function findTool(client: McpClient, name: string, warn: (text: string) => void): Promise<ListedTool> {
  const listed = await listTools(client, warn);
  const found = listed.find((tool) => tool.name === name) ?? (await describedTool(client, name, listed));
  if (!found) throw unknown('tool', name, listed);
  return found;
}

/** Servers of many tools do not list all of them. Such a server says what a tool takes, and every tool has its name. */
async function describedTool(
  client: McpClient,
  name: string,
  listed: readonly ListedTool[],
): Promise<ListedTool | undefined> {
  const describing = listed.find((tool) => tool.name === 'describe_tool');
  const { readOnlyHint } = describing?.annotations ?? {};
  const { properties = {} } = (describing?.outputSchema ?? {}) as JsonSchema;
  if (!readOnlyHint || !('inputSchema' in properties)) return undefined;
  const { isError, structuredContent } = await client.call('describe_tool', { name });
  return isError ? undefined : (definitionWithoutLongIntegers(structuredContent) as ListedTool);
}

/** `toolwright call search_pages --help` is about the tool. */
const asksForHelp = (words: readonly string[], schema: JsonSchema) =>
  /^(?:--help|-h)$/.test(words[0] ?? '') && !argumentShapes(schema).named.has('help');

/** Reads the text of `@file`, or of standard input. */
export const readerIn =
  ({ cwd }: Terminal) =>
  (word: string) =>
    textBehind(word, cwd);

function textBehind(word: string, cwd: string): string | undefined {
  const file = word.startsWith('@') ? resolve(cwd, word.slice(1)) : undefined;
  if (file === undefined && word !== '-') return undefined;
  try {
    return readFileSync(file ?? process.stdin.fd, 'utf8');
  } catch (error) {
    const code = codeOf(error) ?? '';
    const why = Object.hasOwn(unreadable, code) ? unreadable[code]! : reasonOf(error);
    throw usageError(
      `--input cannot be read: ${why.replace('%', () => (word === '-' ? 'standard input' : word.slice(1)))}.`,
    );
  }
}

/** Why a file is not read, by the code of the system. */
const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no %',
  ENOTDIR: 'there is no %',
  EISDIR: '% is a folder',
  EACCES: 'your user may not read %',
};

/** A screen has some more lines than these. */
const MOST_SHOWN = 20;

/**
 * Without the tool's schema, the error would be about the first argument. So an unknown tool is reported
 * first.
 */
export function unknown(
  kind: 'tool' | 'prompt',
  name: string,
  listed: readonly { name: string }[],
): CommandError {
  const names = listed.map((each) => each.name);
  if (names.length === 0) return usageError(`The server lists no ${kind}s.`);
  const near = nearName(name, names);
  if (near !== undefined) return usageError(`The server lists no ${kind} ${name}. Did you mean ${near}?`);
  const more = names.length > MOST_SHOWN ? [`and ${names.length - MOST_SHOWN} more`] : [];
  const lines = [...names.slice(0, MOST_SHOWN).map(inLine), ...more].map((line) => `\n  ${line}`);
  return usageError(`The server lists no ${kind} ${name}. It lists:${lines.join('')}`);
}

/** Without a person to ask, the client says that it cannot ask, and the server decides. */
export function answersOf(terminal: Terminal): ClientOptions {
  const { ask, columns, rows } = terminal;
  if (!ask) return {};
  const console = { ask: ask.bind(terminal), err: terminal.err.bind(terminal), columns, rows };
  return {
    elicit: (question) => {
      // The question begins on a new line.
      terminal.status?.('');
      return askPerson(question, console);
    },
  };
}

export function progressOf(terminal: Terminal): RequestOptions {
  if (!terminal.status) return {};
  return {
    onProgress: ({ progress, total, message = 'working' }) =>
      terminal.status?.(total ? `${bar(progress / total)} ${message}` : `${progress} ${message}`),
  };
}

const BAR_WIDTH = 24;

function bar(share: number): string {
  const part = Math.min(1, Math.max(0, share));
  const done = Math.round(part * BAR_WIDTH);
  const percent = `${Math.round(part * 100)}`.padStart(3);
  return `${'█'.repeat(done)}${'░'.repeat(BAR_WIDTH - done)} ${percent} %`;
}

/**
 * On a screen, nothing hides. In a pipe, the bytes are those of the result: a single text gets no line end either, so
 * that a file can be written with `>`. Errors are for people, wherever they go.
 */
async function print(result: ToolResult, json: boolean, terminal: Terminal): Promise<void> {
  if (json) return terminal.out(visibleJson(result));
  const texts = formatResult(result, terminal);
  if (result.isError) return texts.forEach((text) => terminal.err(text));
  return printTexts(texts, terminal);
}

export async function printTexts(texts: readonly string[], terminal: Terminal): Promise<void> {
  if (terminal.columns !== undefined) return texts.forEach((text) => terminal.out(text));
  for (const [index, text] of texts.entries()) {
    const isFollowed = index < texts.length - 1 && !text.endsWith('\n');
    await terminal.write(isFollowed ? `${text}\n` : text);
  }
}
