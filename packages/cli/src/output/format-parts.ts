import type { Listed } from '@toolwright/client';
import { type Terminal, formatTable, inLine, styleFor } from '@toolwright/operate/terminal';
import { descriptionLines } from './format-tools.js';

type Shown = Pick<Terminal, 'colours' | 'columns'>;

/** What there is to read: a resource with its address, or a template of addresses. */
interface ListedResources {
  readonly resources: readonly (Listed & { uri: string })[];
  readonly templates: readonly (Listed & { uriTemplate: string })[];
}

/** The resources of a server in lines: address, kind, description. */
export function formatResources({ resources, templates }: ListedResources, terminal: Shown): string[] {
  const all: (Listed & { address: string })[] = [
    ...resources.map((each) => ({ ...each, address: each.uri })),
    ...templates.map((each) => ({ ...each, address: each.uriTemplate })),
  ];
  const { bold, dim } = styleFor(terminal);
  if (all.length === 0) return ['No resources.'];
  return all.flatMap(({ address, ...listed }) => [
    `${bold(inLine(address))}  ${dim(inLine(String(listed['mimeType'] ?? '')))}`.trimEnd(),
    ...descriptionLines(
      { ...listed, description: listed.description ?? listed.title ?? listed.name },
      terminal.columns,
    ),
  ]);
}

/** The prompts of a server in lines: name, description, arguments. */
export function formatPrompts(prompts: readonly Listed[], terminal: Shown): string[] {
  const { bold } = styleFor(terminal);
  if (prompts.length === 0) return ['No prompts.'];
  return prompts.flatMap((prompt) => {
    const args = Array.isArray(prompt['arguments']) ? (prompt['arguments'] as Record<string, unknown>[]) : [];
    const rows = args.map(({ name, required, description = '' }) => [
      `--${String(name)}`,
      required === true ? 'required' : '',
      String(description).replace(/\s*\n\s*/g, ' '),
    ]);
    return [
      bold(inLine(prompt.name)),
      ...(prompt.description ? descriptionLines(prompt, terminal.columns) : []),
      ...formatTable(rows, { columns: terminal.columns, indent: '    ' }),
    ];
  });
}
