import type { ToolResult } from '@toolwright/core';
import { RpcError, type ClientOptions, type RequestOptions, type WireMessage } from '@toolwright/client';
import { CommandError, type Terminal, exitCodes, visibleJson } from '@toolwright/operate';
import { nearestNames } from '@toolwright/json';
import { formatResult } from '../output/format-result.js';
import { quietWhileAsked } from '../terminal/quiet-while-asked.js';
import { askPerson } from './ask-person.js';
import { mirroredHeaders } from './http-channel.js';
import { openRemote, type RemoteTarget } from './open-remote.js';
import { parseArguments } from './parse-arguments.js';

export interface RemoteCall {
  target: RemoteTarget;
  headers: Record<string, string>;
  tool: string;
  /** The tool's arguments as the shell passes them. */
  words: readonly string[];
  json: boolean;
}

/**
 * Calls a tool and prints its result.
 *
 * @returns the exit code; a result with `isError` is a failure
 */
export async function callRemoteTool(call: RemoteCall, shown: Terminal): Promise<number> {
  const terminal = quietWhileAsked(shown);
  let mirrored: Record<string, string> = {};
  const headersFor = ({ method }: WireMessage) => (method === 'tools/call' ? mirrored : {});
  const speech = { http: { headers: call.headers, headersFor }, client: answersOf(terminal) };
  const remote = await openRemote(call.target, speech, terminal);
  const { client } = remote;
  try {
    const listed = await client.tools();
    const schema = listed.find(({ name }) => name === call.tool)?.inputSchema;
    if (!schema) throw unknownTool(call.tool, listed);
    const args = parseArguments(call.words, schema);
    mirrored = mirroredHeaders(schema, args);
    const result = await client
      .call(call.tool, args, progressOf(terminal))
      .finally(() => terminal.status?.(''));
    await print(result, call.json, terminal);
    return result.isError ? exitCodes.failed : exitCodes.ok;
  } catch (error) {
    throw error instanceof RpcError ? new CommandError(`${error.message} (${error.code})`) : error;
  } finally {
    await remote.close();
  }
}

/**
 * Without the tool's schema, the error would be about the first argument. So an unknown tool is reported
 * first.
 */
function unknownTool(tool: string, listed: readonly { name: string }[]): CommandError {
  const names = listed.map(({ name }) => name);
  const near = nearestNames(tool, names)[0];
  const hint = near ? `Did you mean ${near}?` : `It lists: ${names.join(', ') || 'none'}.`;
  return new CommandError(`The server lists no tool ${tool}. ${hint}`, exitCodes.usage);
}

/** Without a person to ask, the client says that it cannot ask, and the server decides. */
function answersOf(terminal: Terminal): ClientOptions {
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

function progressOf(terminal: Terminal): RequestOptions {
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
  if (terminal.columns !== undefined) return texts.forEach((text) => terminal.out(text));
  for (const [index, text] of texts.entries()) {
    const isFollowed = index < texts.length - 1 && !text.endsWith('\n');
    await terminal.write(isFollowed ? `${text}\n` : text);
  }
}
