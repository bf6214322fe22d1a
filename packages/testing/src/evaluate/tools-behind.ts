import type { ListedTool, McpClient } from '@toolwright/client';
import type { ModelCall } from './model.js';

/** With the option `toolSearch`, these stand in the list for all other tools. */
const SEARCH = 'search_tools';
const DESCRIBE = 'describe_tool';
export const CALL = 'call_tool';

/** Whether models call the tools of this list by `call_tool`. */
const isSearched = (tools: readonly ListedTool[]) =>
  [SEARCH, DESCRIBE, CALL].every((name) => tools.some((tool) => tool.name === name));

/** The call that a call of `call_tool` means. Any other call is what it is, and so is one without the name of a tool. */
export function meantCall(call: ModelCall): ModelCall {
  const { name, arguments: given = {} } = call.arguments;
  const isCall =
    call.tool === CALL && typeof name === 'string' && typeof given === 'object' && given !== null;
  return isCall ? { ...call, tool: name, arguments: given as ModelCall['arguments'] } : call;
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
