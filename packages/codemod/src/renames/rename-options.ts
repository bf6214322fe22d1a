import { ts } from '@toolwright/schema-compiler/project';
import { noteAt, type MigrationNote } from '../migrate/migration.js';
import { literalsOf, membersNamed, type Member, type OptionRoots } from './option-literals.js';
import { OptionWriter, textOf, type Found, type OptionPath, type RewriterOf } from './option-writer.js';
import type { RenameContext } from './rename-imports.js';

/**
 * Gives the options of `createMcpServer` their names of today.
 *
 * @param roots the object literals that are options, each with the other literals of the same options
 * @returns what could not be changed
 */
export function renameOptions(
  roots: OptionRoots,
  rewriterOf: RewriterOf,
  { checker, renames }: RenameContext,
): MigrationNote[] {
  const rows = Object.entries(renames.options).map(([before, now]) => [pathOf(before), pathOf(now)] as const);
  const notes: MigrationNote[] = [];
  const done = new Set<ts.Node>();
  const shared = { rewriterOf, forms: renames.forms, made: new Set<string>() };
  for (const [root, siblings] of roots) {
    const writer = new OptionWriter(root, siblings, shared);
    for (const [before, now] of rows) {
      for (const { member, holders } of membersAt(root, before.keys, checker)) {
        if (done.has(member) || !hasValue(member, before.value)) continue;
        done.add(member);
        const obstacle = writer.change({ member, holders, before, now });
        if (obstacle === undefined) continue;
        const advice = `Write ${textOf(now)} in place of ${textOf(before)}.`;
        notes.push(noteAt(member, `option ${textOf(before)}`, { reason: obstacle, advice }));
      }
    }
    writer.end();
  }
  return notes;
}

function pathOf(text: string): OptionPath {
  const [path, value] = text.split(/: (.*)/s) as [string, string | undefined];
  return { keys: path.split('.'), ...(value !== undefined && { value }) };
}

function membersAt(
  root: ts.ObjectLiteralExpression,
  keys: readonly string[],
  checker: ts.TypeChecker,
  outer: readonly ts.ObjectLiteralExpression[] = [],
): Found[] {
  const [key, ...rest] = keys;
  const holders = [...outer, root];
  return membersNamed(root, key!).flatMap((member) => {
    if (rest.length === 0) return [{ member, holders }];
    const value = ts.isPropertyAssignment(member) ? member.initializer : member.name;
    return literalsOf(value, checker).flatMap((inner) => membersAt(inner, rest, checker, holders));
  });
}

function hasValue(member: Member, value: string | undefined): boolean {
  if (value === undefined) return true;
  if (!ts.isPropertyAssignment(member)) return false;
  const { initializer } = member;
  return ts.isStringLiteralLike(initializer)
    ? `'${initializer.text}'` === value
    : initializer.getText() === value;
}
