import { isDeepStrictEqual } from 'node:util';
import { type ToolChange, type ContractChange, type Impact, textChange } from './change.js';
import { type Role, compareSchemas } from './compare-schemas.js';
import { newlyHidden } from './hidden-characters.js';
import type { PackageFields, ToolContract, ToolHints } from './lock-file.js';

/** Lists what changed between two versions of a server's tools, in the order of the tools' names. */
export function compareContracts(
  before: readonly ToolContract[],
  after: readonly ToolContract[],
): ToolChange[] {
  const [old, now] = [byName(before), byName(after)];
  const renamed = renames(old, now);
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((tool): ToolChange[] => {
    const [was, is] = [old.get(tool), now.get(tool)];
    const of = (change: ContractChange): ToolChange => ({ tool, ...change });
    const hidden = is ? newlyHidden(was, is) : [];
    if (was && is) return [...compareTool(was, is), ...hidden].map(of);
    const newName = renamed.get(tool);
    if (newName !== undefined) return [of(change('breaking', '', `the tool was renamed to ${newName}`))];
    if (was) return [of(change('breaking', '', 'the tool was removed'))];
    const isKnown = [...renamed.values()].includes(tool);
    const added = isKnown ? [] : [change('compatible', '', 'the tool was added')];
    return [...added, ...hidden].map(of);
  });
}

/** Lists what changed in the fields of packages: each member that is other, new or gone. */
export function comparePackages(before: PackageFields = {}, after: PackageFields = {}): ToolChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((tool) => {
    const [was, is] = [before[tool], after[tool]].map((value) => (value ?? {}) as Record<string, unknown>);
    const members = [...new Set([...Object.keys(was!), ...Object.keys(is!)])].sort();
    return members
      .filter((member) => !isDeepStrictEqual(was![member], is![member]))
      .map((member) => ({ tool, ...textChange(member, `/${member}`, [was![member], is![member]]) }));
  });
}

const byName = (tools: readonly ToolContract[]) => new Map(tools.map((tool) => [tool.name, tool]));
const change = (impact: Impact, path: string, message: string): ContractChange => ({ impact, path, message });

/** Tools with a new name and the same input and output: old name to new name. */
function renames(old: Map<string, ToolContract>, now: Map<string, ToolContract>): Map<string, string> {
  const gone = [...old.values()].filter(({ name }) => !now.has(name));
  const come = [...now.values()].filter(({ name }) => !old.has(name));
  const found = new Map<string, string>();
  for (const was of gone) {
    const alike = come.filter((is) => isAlike(was, is));
    if (alike.length === 1 && gone.filter((other) => isAlike(other, alike[0]!)).length === 1)
      found.set(was.name, alike[0]!.name);
  }
  return found;
}

/** All tools without arguments have the same schemas, so these also need the same description. */
function isAlike(was: ToolContract, is: ToolContract): boolean {
  const takesNothing = Object.keys(was.inputSchema.properties ?? {}).length === 0;
  return (
    isDeepStrictEqual([was.inputSchema, was.outputSchema], [is.inputSchema, is.outputSchema]) &&
    (!takesNothing || was.description === is.description)
  );
}

function compareTool(before: ToolContract, after: ToolContract): ContractChange[] {
  const text = (['title', 'description'] as const)
    .filter((member) => before[member] !== after[member])
    .map((member) => textChange(member, `/${member}`, [before[member], after[member]]));
  return [
    ...text,
    ...compareAudience(before.for, after.for),
    ...compareDeprecation(before, after),
    ...compareHints(before.annotations, after.annotations),
    ...compareScopes(before.scopes, after.scopes),
    ...compareSchema('input', before.inputSchema, after.inputSchema),
    ...compareSchema('output', before.outputSchema, after.outputSchema),
  ];
}

function compareSchema(
  role: Role,
  old: ToolContract['outputSchema'],
  now: ToolContract['outputSchema'],
): ContractChange[] {
  if (old && now)
    return compareSchemas(old, now, role).map((each) => ({ ...each, path: `/${role}${each.path}` }));
  if (old) return [change('breaking', `/${role}`, 'the output has no schema any more')];
  return now ? [change('compatible', `/${role}`, 'the output has a schema now')] : [];
}

/** Nobody can judge a function, so other words count as other callers. Locks of earlier releases have none. */
function compareAudience(old: string | undefined, now: string | undefined): ContractChange[] {
  if (old === undefined || now === undefined || old === now) return [];
  return [{ ...textChange('for', '/for', [old, now]), impact: 'breaking' }];
}

/** A server that is read over the network does not say what is deprecated, nor which scopes a tool needs. */
function compareDeprecation(
  { deprecated: old = false }: ToolContract,
  after: ToolContract,
): ContractChange[] {
  const { deprecated: now = false, scopes } = after;
  if (old === now || scopes === undefined) return [];
  const reason = typeof now === 'string' ? `: ${now}` : '';
  const message = now === false ? 'is no longer deprecated' : `is deprecated now${reason}`;
  return [change('notable', '/deprecated', message)];
}

/** A token that was sufficient must stay sufficient. */
function compareScopes(old: string[] | undefined, now: string[] | undefined): ContractChange[] {
  if (!old || !now) return [];
  const added = now.filter((scope) => !old.includes(scope));
  const removed = old.filter((scope) => !now.includes(scope));
  return [
    ...added.map((scope) => change('breaking', '/scopes', `needs the scope ${scope} now`)),
    ...removed.map((scope) => change('compatible', '/scopes', `no longer needs the scope ${scope}`)),
  ];
}

/**
 * The meaning of a hint that is absent (schema.ts, ToolAnnotations), and the value that promises the caller
 * more.
 */
const hints = [
  { name: 'readOnlyHint', absent: false, promise: true },
  { name: 'destructiveHint', absent: true, promise: false },
  { name: 'idempotentHint', absent: false, promise: true },
  { name: 'openWorldHint', absent: true, promise: false },
] as const;

/** A client may run a tool without asking because of a hint. So removing the hint must be reported. */
function compareHints(before: ToolHints = {}, after: ToolHints = {}): ContractChange[] {
  const changed = hints.flatMap(({ name, absent, promise }): ContractChange[] => {
    const [old, now] = [before[name] ?? absent, after[name] ?? absent];
    if (old === now) return [];
    const impact = old === promise ? 'breaking' : 'compatible';
    return [change(impact, `/annotations/${name}`, `${name} was ${old}, is ${now}`)];
  });
  return before.title === after.title
    ? changed
    : [...changed, textChange('title', '/annotations/title', [before.title, after.title])];
}
