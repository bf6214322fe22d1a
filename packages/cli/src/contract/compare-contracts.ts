import type { Change, Impact } from './change.js';
import { compareSchemas, type Role } from './compare-schemas.js';
import type { ToolContract, ToolHints } from './tool-contract.js';

/** Lists what changed between two versions of a server's tools, in the order of the tools' names. */
export function compareContracts(before: readonly ToolContract[], after: readonly ToolContract[]): Change[] {
  const [old, now] = [byName(before), byName(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((tool) => {
    const [was, is] = [old.get(tool), now.get(tool)];
    if (!is) return [{ tool, impact: 'breaking' as const, path: '', message: 'the tool was removed' }];
    if (!was) return [{ tool, impact: 'compatible' as const, path: '', message: 'the tool was added' }];
    return compareTool(was, is);
  });
}

const byName = (tools: readonly ToolContract[]) => new Map(tools.map((tool) => [tool.name, tool]));

function compareTool(before: ToolContract, after: ToolContract): Change[] {
  const tool = before.name;
  const change = (impact: Impact, path: string, message: string): Change => ({ tool, impact, path, message });
  const text = (['title', 'description'] as const)
    .filter((member) => before[member] !== after[member])
    .map((member) => change('notable', `/${member}`, `${member} changed`));
  const schemas = (role: Role, [old, now]: [ToolContract['outputSchema'], ToolContract['outputSchema']]) => {
    if (old && now) {
      return compareSchemas(old, now, role).map(({ impact, path, message }) =>
        change(impact, `/${role}${path}`, message),
      );
    }
    if (old) return [change('breaking', `/${role}`, 'the output has no schema any more')];
    return now ? [change('compatible', `/${role}`, 'the output has a schema now')] : [];
  };
  return [
    ...text,
    ...compareHints(before.annotations, after.annotations).map(([impact, path, message]) =>
      change(impact, path, message),
    ),
    ...schemas('input', [before.inputSchema, after.inputSchema]),
    ...schemas('output', [before.outputSchema, after.outputSchema]),
  ];
}

/** What a hint means when it is absent (schema.ts, ToolAnnotations), and the value that promises the caller more. */
const hints = [
  { name: 'readOnlyHint', absent: false, promise: true },
  { name: 'destructiveHint', absent: true, promise: false },
  { name: 'idempotentHint', absent: false, promise: true },
  { name: 'openWorldHint', absent: true, promise: false },
] as const;

/** A client that ran a tool without asking, because of a hint, must hear when the hint is taken back. */
function compareHints(before: ToolHints = {}, after: ToolHints = {}): [Impact, string, string][] {
  return hints.flatMap(({ name, absent, promise }): [Impact, string, string][] => {
    const [old, now] = [before[name] ?? absent, after[name] ?? absent];
    if (old === now) return [];
    return [
      [old === promise ? 'breaking' : 'compatible', `/annotations/${name}`, `${name} was ${old}, is ${now}`],
    ];
  });
}
