import type { ListedTool, McpClient } from '@toolwright/client';
import type { ModelCall } from '@toolwright/json';
import { callsInProgram } from './calls-in-program.js';

/** With the option `toolSearch`, these stand in the list for all other tools. */
const SEARCH = 'search_tools';
const DESCRIBE = 'describe_tool';
const CALL = 'call_tool';

/** With the option `codeMode`, models write programs that call the other tools. */
const RUN = 'run_code';
/** Tools that stand for the calls of others. */
export const CALLERS: readonly string[] = [CALL, RUN];

/** Whether models call the tools of this list by `call_tool`, or in programs. */
function isSearched(tools: readonly ListedTool[]): boolean {
  const has = (name: string) => tools.some((tool) => tool.name === name);
  return has(SEARCH) && has(DESCRIBE) && CALLERS.some(has);
}

/**
 * The calls that a call of `call_tool` or of `run_code` means. Any other call is what it is, and so is one without the name of
 * a tool, and a program that calls none.
 */
export function meantCalls(call: ModelCall): readonly ModelCall[] {
  const { name, arguments: given = {}, code } = call.arguments;
  if (call.tool === RUN && typeof code === 'string') {
    const calls = callsInProgram(code);
    return calls.length > 0 ? calls : [call];
  }
  const isCall =
    call.tool === CALL && typeof name === 'string' && typeof given === 'object' && given !== null;
  return [isCall ? { ...call, tool: name, arguments: given as ModelCall['arguments'] } : call];
}

/**
 * The tools of a table that a list with a search does not show, as the server describes them to this caller.
 *
 * @param names the tools that the table expects
 */
export async function toolsBehind(
  client: Partial<Pick<McpClient, 'call'>>,
  tools: readonly ListedTool[],
  names: readonly string[],
): Promise<readonly ListedTool[]> {
  if (!isSearched(tools) || !client.call) return [];
  const hidden = [...new Set(names)].filter((name) => !tools.some((tool) => tool.name === name));
  const described = await Promise.all(hidden.map((name) => client.call!(DESCRIBE, { name })));
  return described.flatMap((result) =>
    result.structuredContent && !result.isError ? [result.structuredContent as unknown as ListedTool] : [],
  );
}
