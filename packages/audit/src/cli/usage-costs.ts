import { isObject, isShallow, readText, reasonOf, type ToolInList } from '@toolwright/json';
import { isTool, MOST_LEVELS, type ServerCosts } from '../costs/costs-of.js';
import { AuditError } from '../errors/audit-error.js';
import type { CommandConsole } from './audit-command.js';
import { printable } from './record-table.js';
import { writeTable } from './text-table.js';

/**
 * Reads a list of tools: what `toolwright list --json` prints, or an answer to `tools/list`.
 *
 * @throws AuditError `TW_AUDIT_OPTIONS` that says what is wrong with the file
 */
export function readTools(file: string): readonly ToolInList[] {
  const refuse = (problem: string) => new AuditError('TW_AUDIT_OPTIONS', `--tools ${file}: ${problem}`);
  let value: unknown;
  try {
    value = JSON.parse(readText(file));
  } catch (error) {
    throw refuse(reasonOf(error));
  }
  const answer = isObject(value) && isObject(value['result']) ? value['result'] : value;
  const tools = isObject(answer) ? answer['tools'] : answer;
  if (isObject(answer) && answer['nextCursor'])
    throw refuse(
      'it is one page of a list, and there are more (nextCursor). toolwright list --json has all of them.',
    );
  if (Array.isArray(tools) && tools.length > 0 && tools.every(isTool)) return tools;
  if (Array.isArray(tools) && !isShallow(tools, MOST_LEVELS + 1))
    throw refuse(`a tool of it has more than ${MOST_LEVELS} levels of objects and lists.`);
  throw refuse('it has no list of tools, as toolwright list --json prints it.');
}

const number = (value: number) => value.toLocaleString('en-US');

const inRequests = (more: number) =>
  more === 0 ? '' : ` That takes ${number(Math.abs(more))} requests a week ${more > 0 ? 'more' : 'less'}.`;

/** Writes what tools cost for people. @param counted how the tokens of the list were counted */
export async function writeCosts(
  console: CommandConsole,
  costs: ServerCosts,
  counted: string,
): Promise<void> {
  const { calls, requests, weeks, tokens, list, tools, byWeek, changes, leftOut, unknown } = costs;
  if (calls === 0 && leftOut.length === 0)
    return void (await console.out('The log has no such calls of tools.\n'));
  await writeTable(
    console,
    ['TOOL', 'IN LIST', 'CALLS', 'LIST A WEEK', 'RESULTS A WEEK'],
    tools.map((tool) => [
      printable(tool.name),
      tool.entry === 0 ? '-' : number(tool.entry),
      ...[tool.calls, tool.list, tool.results].map(number),
    ]),
  );
  if (tools.some(({ entry }) => entry === 0)) await console.out('-: the tool is not in the list.\n');
  for (const each of leftOut) await console.out(`\n${printable(each)}\n`);
  if (calls === 0) return;
  await console.out('\n');
  await writeTable(
    console,
    ['WEEK', 'REQUESTS', 'LIST', 'RESULTS'],
    byWeek.map((each) => [each.week, ...[each.requests, each.list, each.results].map(number)]),
  );
  await console.out(
    `\nIn ${weeks === 1 ? 'one week' : `${weeks} weeks`}, ${number(requests)} requests of models wrote ${number(calls)} calls. ` +
      `Each had the list of ${number(list)} tokens (${counted}). ` +
      `With the results (four bytes a token), models read about ${number(tokens)} tokens a week.\n`,
  );
  for (const [at, change] of changes.entries())
    await console.out(
      `\n${at + 1}. ${number(change.tokens)} tokens a week less (${change.percent} %): ${printable(change.advice)}\n` +
        `   If ${change.condition}.${inRequests(change.requests)}\n`,
    );
  if (changes.length > 1) await console.out('\nEach figure is for this change alone.\n');
  await console.out(
    `\nNobody can know from a list and a log:\n${unknown.map((each) => `- ${each}\n`).join('')}`,
  );
}
