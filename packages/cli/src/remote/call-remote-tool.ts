import type { WireMessage } from '@toolwright/testing';
import { RpcError } from '@toolwright/testing';
import { CommandError, exitCodes } from '../command-error.js';
import { formatResult } from '../output/format-result.js';
import type { Terminal } from '../terminal/terminal.js';
import { askPerson } from './ask-person.js';
import { connectTo } from './connect-to.js';
import { mirroredHeaders } from './mirrored-headers.js';
import { parseArguments } from './parse-arguments.js';

export interface RemoteCall {
  url: URL;
  headers: Record<string, string>;
  tool: string;
  /** The tool's arguments as the shell has them. */
  words: readonly string[];
  json: boolean;
}

/**
 * Calls a tool over HTTP and prints what it gave.
 *
 * @returns the exit code: a result with `isError` is a failure
 */
export async function callRemoteTool(
  { url, headers, tool, words, json }: RemoteCall,
  terminal: Terminal,
): Promise<number> {
  let mirrored: Record<string, string> = {};
  const headersFor = ({ method }: WireMessage) => (method === 'tools/call' ? mirrored : {});
  const { ask, err } = terminal;
  const elicit = ask && {
    elicit: (question: Parameters<typeof askPerson>[0]) => askPerson(question, { ask, err }),
  };
  const client = await connectTo(url, { headers, headersFor }, { ...elicit });
  try {
    const listed = (await client.tools()).find(({ name }) => name === tool);
    const args = parseArguments(words, listed?.inputSchema ?? {});
    mirrored = mirroredHeaders(listed?.inputSchema ?? {}, args);
    const onProgress =
      terminal.status &&
      (({ progress, total, message }: Progress) =>
        terminal.status!(
          `${message ?? 'working'} ${total ? `${Math.round((100 * progress) / total)} %` : progress}`,
        ));
    const result = await client.call(tool, args, onProgress ? { onProgress } : {});
    terminal.status?.('');
    if (json) terminal.out(JSON.stringify(result, null, 2));
    else for (const line of formatResult(result)) (result.isError ? terminal.err : terminal.out)(line);
    return result.isError ? exitCodes.failed : exitCodes.ok;
  } catch (error) {
    throw error instanceof RpcError ? new CommandError(`${error.message} (${error.code})`) : error;
  } finally {
    await client.close();
  }
}

interface Progress {
  progress: number;
  total?: number;
  message?: string;
}
