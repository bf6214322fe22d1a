import type { ExplainedPrograms } from '@toolwright/core/operate';
import { type TableShape, type Terminal, formatTable, inLine, styleFor } from '@toolwright/operate/terminal';

/** What the programs of a caller may do, for people. */
export function formatPrograms(
  programs: ExplainedPrograms | undefined,
  terminal: Pick<Terminal, 'colours'> & TableShape,
): string[] {
  if (!programs) return [];
  const { limits, tools, refused } = programs;
  const { columns = Infinity } = terminal;
  const { bold } = styleFor(terminal);
  const table = (rows: string[][]) => formatTable(rows, { columns, indent: '  ' });
  return [
    '',
    bold('Limits of a program'),
    ...table([
      ['calls', `${limits.calls} calls of tools, over all rounds`],
      ['time', `${limits.time} ms of its own work in a round`],
      ['memory', `${limits.memory} bytes`],
      ['result', `${limits.result} bytes, also of each inner result and of arguments`],
      ['programs', `${limits.programs} work at a time in a process`],
    ]),
    '',
    bold(`Tools that a program may call: ${tools.length}`),
    ...table(tools.map((tool) => [inLine(tool.name), wordsOf(tool)])),
    ...(refused.length === 0
      ? []
      : [
          '',
          bold(`Tools that it may not call: ${refused.length}`),
          ...table(refused.map(({ name, reason }) => [inLine(name), inLine(reason)])),
        ]),
  ];
}

function wordsOf({ reads, confirms, isText }: ExplainedPrograms['tools'][number]): string {
  return [
    reads ? 'reads' : 'may change something',
    ...(confirms ? ['asks a person first'] : []),
    ...(isText ? ['gives one text: it has no output schema'] : []),
  ].join('; ');
}
