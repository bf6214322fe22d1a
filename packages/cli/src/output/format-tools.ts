import { isSensitive } from '@toolwright/json';
import type { ListedTool } from '@toolwright/client';
import { formatTable } from '../terminal/table.js';
import { styleFor } from '../terminal/style.js';
import type { Terminal } from '../terminal/terminal.js';
import { inLine } from '../terminal/visible-text.js';
import { describeSchema } from './describe-schema.js';

/** The tools of a server in lines: name, arguments, and the first line of the description. */
export function formatTools(tools: readonly ListedTool[], terminal: Pick<Terminal, 'colours'>): string[] {
  const style = styleFor(terminal);
  return tools.flatMap((tool) => [
    `${style.bold(inLine(tool.name))}  ${style.dim(inLine(marks(tool).join(' ')))}`.trimEnd(),
    ...(tool.description ? [`  ${inLine(firstLine(tool.description))}`] : []),
    ...formatTable(argumentRows(tool)).map((line) => `    ${line}`),
  ]);
}

function marks({ annotations = {} }: ListedTool): string[] {
  return Object.entries(annotations).flatMap(([hint, value]) =>
    value === true ? [hint.replace(/Hint$/, '')] : [],
  );
}

function argumentRows({ inputSchema: { properties = {}, required = [] } }: ListedTool): string[][] {
  return Object.entries(properties).map(([name, schema]) => [
    `--${name}`,
    describeSchema(schema),
    required.includes(name)
      ? 'required'
      : schema.default === undefined || isSensitive(schema)
        ? ''
        : `default ${JSON.stringify(schema.default)}`,
    firstLine(schema.description ?? ''),
  ]);
}

const firstLine = (text: string) => text.split('\n', 1)[0]!;
