import type { McpClient } from '@toolwright/client';
import type { ContractChange, ToolChange } from './change.js';

/** The extension of the protocol (SEP-2640). */
const EXTENSION = 'io.modelcontextprotocol/skills';

/** What a server says of its skills: the digest of each file by its path in the skill, by the URI of the skill. */
export type Skills = Readonly<Record<string, Readonly<Record<string, string>> | 'dynamic'>>;

interface ListedSkill {
  readonly uri: string;
  readonly resources: readonly { readonly uri: string; readonly digest: string }[] | 'dynamic';
}

/** The skills that a caller sees; `undefined` for a server without skills. */
export async function listSkills(client: McpClient): Promise<Skills | undefined> {
  const { extensions } = client.server.capabilities as { extensions?: Record<string, unknown> };
  if (!extensions?.[EXTENSION]) return undefined;
  const listed = await client.all<ListedSkill>('skills/list', 'skills');
  const skills = listed.map((skill): [string, Skills[string]] => [skill.uri, filesOf(skill)]);
  return Object.fromEntries(skills.sort(byName));
}

function filesOf({ uri, resources }: ListedSkill): Skills[string] {
  if (resources === 'dynamic') return resources;
  const root = uri.slice(0, uri.lastIndexOf('/') + 1);
  const files = resources.map((file): [string, string] => [
    file.uri.startsWith(root) ? file.uri.slice(root.length) : file.uri,
    file.digest,
  ]);
  return Object.fromEntries(files.sort(byName));
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
  one < other ? -1 : 1;

/**
 * Lists the skills whose files have changed. Nothing fails then, but models read something else. Skills and files that were
 * added or removed are among the resources.
 */
export function compareSkills(before: Skills | undefined, after: Skills | undefined): ToolChange[] {
  if (!before || !after) return [];
  return Object.entries(before).flatMap(([uri, was]) => {
    const is = after[uri];
    if (is === undefined) return [];
    const change = compareFiles(was, is);
    return change ? [{ tool: `skill ${uri}`, path: '', ...change }] : [];
  });
}

function compareFiles(was: Skills[string], is: Skills[string]): Omit<ContractChange, 'path'> | undefined {
  if (was === 'dynamic' || is === 'dynamic') {
    if (was === is) return undefined;
    const message = is === 'dynamic' ? 'a method writes the skill now' : 'the skill is read from files now';
    return { impact: 'notable', message };
  }
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .sort()
    .filter((file) => was[file] !== is[file]);
  if (changed.length === 0) return undefined;
  const show = (files: Readonly<Record<string, string>>) =>
    changed.map((file) => `${file} ${files[file] ?? 'missing'}`).join('\n');
  return { impact: 'notable', message: 'what the skill says changed', before: show(was), after: show(is) };
}
