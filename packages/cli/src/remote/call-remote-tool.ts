import type { ToolResult } from '@toolwright/core';
import { RpcError, type ClientOptions, type RequestOptions, type WireMessage } from '@toolwright/testing';
import { CommandError, exitCodes } from '../command-error.js';
import { nearest } from '../explain/nearest.js';
import { formatResult } from '../output/format-result.js';
import type { Terminal } from '../terminal/terminal.js';
import { askPerson } from './ask-person.js';
import { mirroredHeaders } from './mirrored-headers.js';
import { openRemote, type RemoteTarget } from './open-remote.js';
import { parseArguments } from './parse-arguments.js';

export interface RemoteCall {
  target: RemoteTarget;
  headers: Record<string, string>;
  tool: string;
  /** The tool's arguments as the shell has them. */
  words: readonly string[];
  json: boolean;
}

/**
 * Calls a tool and prints what it gave.
 *
 * @returns the exit code: a result with `isError` is a failure
 */
export async function callRemoteTool(call: RemoteCall, terminal: Terminal): Promise<number> {
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
    return print(result, call.json, terminal);
  } catch (error) {
    throw error instanceof RpcError ? new CommandError(`${error.message} (${error.code})`) : error;
  } finally {
    await remote.close();
  }
}

/** Said here: without a schema, the first argument would be blamed. */
function unknownTool(tool: string, listed: readonly { name: string }[]): CommandError {
  const names = listed.map(({ name }) => name);
  const near = nearest(tool, names);
  const hint = near ? `Did you mean ${near}?` : `It lists: ${names.join(', ') || 'none'}.`;
  return new CommandError(`The server lists no tool ${tool}. ${hint}`);
}

/** Without a person to ask, the client says that it cannot be asked, and the server decides what then. */
function answersOf(terminal: Terminal): ClientOptions {
  const ask = terminal.ask?.bind(terminal);
  const console = { ask: ask!, err: terminal.err.bind(terminal) };
  if (!ask) return {};
  return {
    elicit: (question) => {
      // The question begins a line of its own.
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

function print(result: ToolResult, json: boolean, terminal: Terminal): number {
  const lines = json ? [JSON.stringify(result, null, 2)] : formatResult(result, terminal);
  for (const line of lines) {
    if (result.isError && !json) terminal.err(line);
    else terminal.out(line);
  }
  return result.isError ? exitCodes.failed : exitCodes.ok;
}
