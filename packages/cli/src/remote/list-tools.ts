import type { ListedTool, McpClient } from '@toolwright/client';
import { isObject } from '@toolwright/json';
import { CommandError, inLine } from '@toolwright/operate/terminal';
import { formatTools } from '../output/format-tools.js';
import { argumentShapes } from './argument-shape.js';

/**
 * The tools of a server. Many servers write null for what is absent: such members are left out.
 *
 * @param warn gets a sentence about each tool that cannot be used. Without it, or if no other tool is left, it is an error
 * @throws {CommandError} that says what is wrong with the first of those
 */
export async function listTools(client: McpClient, warn?: (text: string) => void): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  const problems: string[] = [];
  for (const [index, given] of (await client.tools()).entries()) {
    const tool = withoutNulls(given);
    const problem = problemOf(tool);
    if (problem === undefined) tools.push(tool);
    else problems.push(`number ${index + 1}${nameOf(tool)} has ${problem}.`);
  }
  const [first] = problems;
  if (first !== undefined && (!warn || tools.length === 0))
    throw new CommandError(`The server lists a tool that is none: ${first}`);
  for (const each of problems) warn?.(`The server lists a tool that is none. It is left out: ${each}`);
  return tools;
}

const nameOf = (tool: ListedTool) =>
  isObject(tool) && typeof tool.name === 'string' ? ` (${inLine(tool.name)})` : '';

function problemOf(tool: ListedTool): string | undefined {
  if (!isObject(tool)) return 'no members';
  const { name, description, inputSchema, outputSchema, annotations } = tool;
  if (typeof name !== 'string') return 'no name';
  if (description !== undefined && typeof description !== 'string') return 'a description that is no text';
  if (!isObject(inputSchema)) return 'no input schema';
  const { properties, required } = inputSchema;
  if (properties !== undefined && !isObject(properties)) return 'properties that are no object';
  if (required !== undefined && !Array.isArray(required)) return 'required names that are no list';
  if (outputSchema !== undefined && !isObject(outputSchema)) return 'an output schema that is no object';
  if (annotations !== undefined && !isObject(annotations)) return 'annotations that are no object';
  try {
    argumentShapes(inputSchema);
    formatTools([tool], { colours: false, columns: undefined });
    return undefined;
  } catch {
    return 'an input schema that is none';
  }
}

function withoutNulls(tool: ListedTool): ListedTool {
  if (!isObject(tool)) return tool;
  const members = Object.entries(tool).filter(([, each]) => each !== null);
  return Object.fromEntries(
    members.map(([name, each]) => [name, name.endsWith('Schema') ? presentIn(each) : each]),
  ) as unknown as ListedTool;
}

/** Keywords whose values are values of arguments: null is one, too. */
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

/** A schema without the keywords that are null. */
function presentIn(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(presentIn);
  if (!isObject(part)) return part;
  const keywords = Object.entries(part).filter(
    ([name, each]) => each !== null || name === 'default' || name === 'const',
  );
  return Object.fromEntries(
    keywords.map(([name, each]) => [name, VALUES.has(name) ? each : presentIn(each)]),
  );
}
