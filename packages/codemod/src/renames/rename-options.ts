import { ts } from '@toolwright/schema-compiler/project';
import { indentAt } from '../edits/insertion.js';
import { noteAt, type MigrationNote } from '../migrate/migration.js';
import type { Rewriter } from '../migrate/rewriter.js';
import { literalsOf } from './option-literals.js';
import type { RenameContext } from './rename-imports.js';

/** A row of the table: `lists.pageSize`, and the value if the row is about one value only. */
interface OptionPath {
  keys: readonly string[];
  value?: string;
}

type Member = ts.PropertyAssignment | ts.ShorthandPropertyAssignment | ts.MethodDeclaration;

/** The rewriter of a file; undefined for files that are not sources of the project. */
export type RewriterOf = (file: ts.SourceFile) => Rewriter | undefined;

/**
 * Gives the options of `createMcpServer` their names of today.
 *
 * @param roots the object literals that are options
 * @returns what could not be changed
 */
export function renameOptions(
  roots: ReadonlySet<ts.ObjectLiteralExpression>,
  rewriterOf: RewriterOf,
  { checker, renames }: RenameContext,
): MigrationNote[] {
  const rows = Object.entries(renames.options).map(([before, now]) => [pathOf(before), pathOf(now)] as const);
  const notes: MigrationNote[] = [];
  const done = new Set<ts.Node>();
  for (const root of roots) {
    const writer = new OptionWriter(root, rewriterOf);
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

function textOf({ keys, value }: OptionPath): string {
  return keys.join('.') + (value === undefined ? '' : `: ${value}`);
}

/** A member of an object literal, and the literals around it, from the options inwards. */
interface Found {
  member: Member;
  holders: readonly ts.ObjectLiteralExpression[];
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

function membersNamed({ properties }: ts.ObjectLiteralExpression, name: string): Member[] {
  return properties.filter(
    (each): each is Member =>
      (ts.isPropertyAssignment(each) ||
        ts.isShorthandPropertyAssignment(each) ||
        ts.isMethodDeclaration(each)) &&
      (ts.isIdentifier(each.name) || ts.isStringLiteral(each.name)) &&
      each.name.text === name,
  );
}

function hasValue(member: Member, value: string | undefined): boolean {
  if (value === undefined) return true;
  if (!ts.isPropertyAssignment(member)) return false;
  const { initializer } = member;
  return ts.isStringLiteralLike(initializer)
    ? `'${initializer.text}'` === value
    : initializer.getText() === value;
}

interface OptionChange extends Found {
  before: OptionPath;
  now: OptionPath;
}

/** An object that is not there yet, and the members that move into it. */
interface NewObject {
  into: ts.ObjectLiteralExpression;
  keys: readonly string[];
  members: (string | ts.Node)[][];
  /** The member in whose place it is written. */
  place?: Member;
}

/** Writes what becomes of the options in one literal. Options that move into one object share it. */
class OptionWriter {
  private readonly made = new Map<string, NewObject>();

  constructor(
    private readonly root: ts.ObjectLiteralExpression,
    private readonly rewriterOf: RewriterOf,
  ) {}

  /** @returns why the option stays as it is */
  change({ member, holders, before, now }: OptionChange): string | undefined {
    const rewriter = this.rewriterOf(member.getSourceFile());
    if (!rewriter) return 'It is in a file that the tsconfig does not name.';
    const holder = holders.at(-1)!;
    const parent = now.keys.slice(0, -1);
    const name = now.keys.at(-1)!;
    const isHere = parent.join('.') === before.keys.slice(0, -1).join('.');
    const into = isHere ? { literal: holder, keys: [] } : this.literalAt(parent);
    if (!into || (!isHere && !isInside(holder, this.root)))
      return `The objects around ${textOf(before)} and ${textOf(now)} are not written out in one place.`;
    if (into.keys.length === 0 && membersNamed(into.literal, name).some((each) => each !== member))
      return `${now.keys.join('.')} is set, too.`;
    if (isHere) rewriter.replace(member, ...written(member, name, now.value));
    else this.move(member, into, written(member, name, now.value));
    return undefined;
  }

  /** Writes the objects that several options share. */
  end(): void {
    for (const { into, keys, members, place } of this.made.values()) {
      const rewriter = this.rewriterOf(into.getSourceFile())!;
      const parts = members.flatMap((each, index) => (index === 0 ? each : [', ', ...each]));
      const open = keys.map((key) => `${key}: { `).join('');
      const text = [open, ...parts, ' }'.repeat(keys.length)];
      if (place) rewriter.replace(place, ...text);
      else {
        const first = into.properties[0];
        const at = into.getStart() + 1;
        const gap = first && /\n/.test(first.getFullText().slice(0, first.getStart() - first.getFullStart()));
        const lead = gap ? `\n${indentAt(into.getSourceFile().text, first.getStart())}` : ' ';
        rewriter.replaceRange(at, at, lead, ...text, first ? ',' : ' ');
      }
    }
  }

  private move(
    member: Member,
    { literal, keys }: { literal: ts.ObjectLiteralExpression; keys: readonly string[] },
    parts: (string | ts.Node)[],
  ): void {
    const id = `${literal.pos} ${keys.join('.')}`;
    const made = this.made.get(id) ?? { into: literal, keys, members: [] };
    made.members.push(parts);
    this.made.set(id, made);
    if (member.parent === literal && !made.place) made.place = member;
    else this.remove(member);
  }

  /** The innermost object on a path that the source writes out, and the keys below it that are missing. */
  private literalAt(
    keys: readonly string[],
  ): { literal: ts.ObjectLiteralExpression; keys: readonly string[] } | undefined {
    let literal = this.root;
    for (const [index, key] of keys.entries()) {
      const [member] = membersNamed(literal, key);
      if (!member) return { literal, keys: keys.slice(index) };
      if (!ts.isPropertyAssignment(member) || !ts.isObjectLiteralExpression(member.initializer))
        return undefined;
      literal = member.initializer;
    }
    return { literal, keys: [] };
  }

  /** Takes a member out, with its comma, and its line if nothing else is in it. */
  private remove(member: Member): void {
    const { text } = member.getSourceFile();
    const start = member.getStart();
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const isAlone = /^[ \t]*$/.test(text.slice(lineStart, start));
    const rest = isAlone ? /^,?[ \t]*(?:\r?\n)?/ : /^,?[ \t]*/;
    const end = member.getEnd() + rest.exec(text.slice(member.getEnd()))![0].length;
    this.rewriterOf(member.getSourceFile())!.replaceRange(isAlone ? lineStart : start, end);
  }
}

function isInside(node: ts.Node, root: ts.Node): boolean {
  return ts.findAncestor(node, (each) => each === root) !== undefined;
}

/** A member with another name, and another value if the table has one. Its parts keep the edits inside them. */
function written(member: Member, name: string, value: string | undefined): (string | ts.Node)[] {
  if (ts.isMethodDeclaration(member)) {
    const { name: before } = member;
    const text = member.getText();
    const at = before.getStart() - member.getStart();
    return [text.slice(0, at) + name + text.slice(at + before.getText().length)];
  }
  if (ts.isShorthandPropertyAssignment(member))
    return member.name.text === name ? [name] : [`${name}: `, member.name];
  const { initializer } = member;
  const isDouble = initializer.getText().startsWith('"');
  return [`${name}: `, value === undefined ? initializer : isDouble ? value.replaceAll("'", '"') : value];
}
