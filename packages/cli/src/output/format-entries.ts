import type { InspectedMethod } from '../build/inspect-everything.js';
import { formatTable } from '../terminal/table.js';
import { styleFor } from '../terminal/style.js';
import type { Terminal } from '../terminal/terminal.js';
import { describeSchedule } from './describe-schedule.js';
import { describeSchema } from './describe-schema.js';

/** One line per decorated method: its name, its signature in short form, and its place. */
export function formatEntries(
  entries: readonly InspectedMethod[],
  terminal: Pick<Terminal, 'colours'>,
): string[] {
  const style = styleFor(terminal);
  if (entries.length === 0) return ['No decorated methods.'];
  return formatTable(
    entries.map(({ name, input, output, stream, key, standard, schedule, diagnostics }) => [
      style.bold(name),
      `(${signature(input)}) -> ${output === null ? 'nothing' : describeSchema(output)}${stream ? ', streamed' : ''}`,
      style.dim(key),
      [
        ...(schedule ? [style.cyan(`runs at ${describeSchedule(schedule)}`)] : []),
        ...(standard ? [style.dim('completed by a schema when the server starts')] : []),
        ...(diagnostics.length > 0 ? [style.red(`${diagnostics.length} diagnostics`)] : []),
      ].join('  '),
    ]),
  );
}

function signature({ properties = {}, required = [] }: InspectedMethod['input']): string {
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(', ');
}
