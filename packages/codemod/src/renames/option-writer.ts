import { ts } from '@toolwright/schema-compiler/project';
import { indentAt } from '../edits/insertion.js';
import type { Rewriter } from '../migrate/rewriter.js';
import { membersNamed, type Member } from './option-literals.js';
import type { Renames } from './table.js';

/** A row of the table: `lists.pageSize`, and the value if the row is about one value only. */
export interface OptionPath {
  keys: readonly string[];
  value?: string;
}

/** A member of an object literal, and the literals around it, from the options inwards. */
export interface Found {
  member: Member;
  holders: readonly ts.ObjectLiteralExpression[];
}

interface OptionChange extends Found {
  before: OptionPath;
  now: OptionPath;
}

/** The rewriter of a file; undefined for files that are not sources of the project. */
export type RewriterOf = (file: ts.SourceFile) => Rewriter | undefined;

/** Where moved options are written: an object of the source, or one that is not there yet. */
interface Target {
  into: ts.ObjectLiteralExpression;
  /** The names below `into` that are missing. */
  keys: readonly string[];
  /** An option of `into` that is not written as an object. Its value stays, in the form that the table names. */
  wrapped?: ts.PropertyAssignment | ts.ShorthandPropertyAssignment;
}

/** The options that move to one place. */
interface Move extends Target {
  members: { name: string; parts: Parts; value: ts.Node | undefined }[];
  /** The member in whose place they are written. */
  place?: Member;
}

/** Texts, and nodes whose text is taken with all edits inside them. */
type Parts = (string | ts.Node)[];

/** Writes what becomes of the options in one literal. Options that move to one place share it. */
export class OptionWriter {
  readonly #moves = new Map<string, Move>();
  readonly #removed = new Set<ts.ObjectLiteralElementLike>();

  /** @param siblings the other literals of which the same options are made, by spreads for example */
  constructor(
    private readonly root: ts.ObjectLiteralExpression,
    private readonly siblings: readonly ts.ObjectLiteralExpression[],
    private readonly context: { rewriterOf: RewriterOf; forms: Renames['forms']; made: Set<string> },
  ) {}

  /** @returns why the option stays as it is */
  change({ member, holders, before, now }: OptionChange): string | undefined {
    const rewriter = this.context.rewriterOf(member.getSourceFile());
    if (!rewriter) return 'It is in a file that the tsconfig does not name.';
    const holder = holders.at(-1)!;
    const parent = now.keys.slice(0, -1);
    const name = now.keys.at(-1)!;
    const isHere = parent.join('.') === before.keys.slice(0, -1).join('.');
    const target = isHere ? { into: holder, keys: [] } : this.#targetAt(parent);
    if (!target || (!isHere && (!isInside(holder, this.root) || this.#isElsewhere(now.keys[0]!))))
      return `The objects around ${textOf(before)} and ${textOf(now)} are not written out in one place.`;
    const { into, keys, wrapped } = target;
    if (keys.length === 0 && !wrapped && membersNamed(into, name).some((each) => each !== member))
      return `${now.keys.join('.')} is set, too.`;
    const parts = written(member, name, now.value);
    if (isHere) rewriter.replace(member, ...parts);
    else this.#move(member, target, { name, parts, value: valueOf(member) });
    return undefined;
  }

  /** Writes the objects that several options share, and takes out what has moved. */
  end(): void {
    this.#removeEmptied();
    for (const move of this.#moves.values()) {
      // An object of which nothing is left gives its place to what was in it.
      const emptied = [...this.#removed].find((each) => each.parent === move.into) as Member | undefined;
      if (!move.place && !move.wrapped && emptied) move.place = emptied;
      if (move.place) this.#removed.delete(move.place);
      this.#write(move, this.context.rewriterOf(move.into.getSourceFile())!);
    }
    for (const literal of new Set([...this.#removed].map(({ parent }) => parent)))
      if (ts.isObjectLiteralExpression(literal)) this.#takeOut(literal);
  }

  #move(member: Member, target: Target, moved: Move['members'][number]): void {
    const { into, keys, wrapped } = target;
    const id = `${into.pos} ${keys.join('.')} ${wrapped?.pos}`;
    const move: Move = this.#moves.get(id) ?? { ...target, members: [] };
    move.members.push(moved);
    this.#moves.set(id, move);
    if (keys[0] !== undefined) this.context.made.add(idOf(this.root, keys[0]));
    if (member.parent === into && !move.place && !wrapped) move.place = member;
    else this.#removed.add(member);
  }

  /** Whether another literal of the same options has this option, or gets it: one of both would be lost. */
  #isElsewhere(name: string): boolean {
    if (membersNamed(this.root, name).length > 0) return false;
    return this.siblings.some(
      (each) => membersNamed(each, name).length > 0 || this.context.made.has(idOf(each, name)),
    );
  }

  #targetAt(keys: readonly string[]): Target | undefined {
    let into = this.root;
    for (const [index, key] of keys.entries()) {
      const [member] = membersNamed(into, key);
      if (!member) return { into, keys: keys.slice(index) };
      if (ts.isPropertyAssignment(member) && ts.isObjectLiteralExpression(member.initializer)) {
        into = member.initializer;
        continue;
      }
      const isWhole = index === keys.length - 1 && into === this.root && !ts.isMethodDeclaration(member);
      return isWhole && Object.hasOwn(this.context.forms, key)
        ? { into, keys: [], wrapped: member }
        : undefined;
    }
    return { into, keys: [] };
  }

  #write({ into, keys, members, place, wrapped }: Move, rewriter: Rewriter): void {
    const each = joined(members);
    const list = each.flatMap((parts, index) => (index === 0 ? parts : [', ', ...parts]));
    if (wrapped) return this.#wrap(wrapped, list, rewriter);
    const open = keys.map((key) => `${key}: { `).join('');
    const parts = [open, ...list, ' }'.repeat(keys.length)];
    if (place) return rewriter.replace(place, ...parts);
    const [first] = into.properties;
    const at = into.getStart() + 1;
    const gap = first && /\n/.test(first.getFullText().slice(0, first.getStart() - first.getFullStart()));
    const lead = gap ? `\n${indentAt(into.getSourceFile().text, first.getStart())}` : ' ';
    rewriter.replaceRange(at, at, lead, ...parts, first ? ',' : ' ');
  }

  /** Writes options beside the value of one that is not an object: in a list with it, or in an object around it. */
  #wrap(option: NonNullable<Move['wrapped']>, list: Parts, rewriter: Rewriter): void {
    const key = option.name.getText();
    const form = this.context.forms[key]!;
    const value = ts.isPropertyAssignment(option) ? option.initializer : option.name;
    if (form !== 'list') rewriter.replace(option, `${key}: { ${form}: `, value, ', ', ...list, ' }');
    else if (!ts.isArrayLiteralExpression(value))
      rewriter.replace(option, `${key}: [`, value, ', { ', ...list, ' }]');
    else {
      const last = value.elements.at(-1);
      const at = last ? last.getEnd() : value.getEnd() - 1;
      rewriter.replaceRange(at, at, last ? ', { ' : '{ ', ...list, ' }');
    }
  }

  /** An object from which every option has moved goes, too. */
  #removeEmptied(): void {
    const targets = new Set([...this.#moves.values()].map(({ into }) => into));
    for (const { parent: literal } of this.#removed) {
      if (!ts.isObjectLiteralExpression(literal) || literal === this.root || targets.has(literal)) continue;
      const { parent: member, properties } = literal;
      const isEmptied = properties.every((each) => this.#removed.has(each));
      if (!isEmptied || !ts.isPropertyAssignment(member)) continue;
      for (const each of properties) this.#removed.delete(each);
      // The loop comes to it, too: its own object may be empty now.
      this.#removed.add(member);
    }
  }

  /** Takes members out of a literal, with their commas, and their lines if nothing else is in these. */
  #takeOut({ properties }: ts.ObjectLiteralExpression): void {
    for (let first = 0; first < properties.length; first += 1) {
      if (!this.#removed.has(properties[first]!)) continue;
      let last = first;
      while (last + 1 < properties.length && this.#removed.has(properties[last + 1]!)) last += 1;
      this.#cut(properties, first, last);
      first = last;
    }
  }

  #cut(properties: ts.NodeArray<ts.ObjectLiteralElementLike>, first: number, last: number): void {
    const file = properties[first]!.getSourceFile();
    const { text } = file;
    const start = properties[first]!.getStart();
    const memberEnd = properties[last]!.getEnd();
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const [comma] = /^,?[ \t]*/.exec(text.slice(memberEnd))!;
    const end = memberEnd + comma.length;
    const newline = /^\r?\n/.exec(text.slice(end));
    const rewriter = this.context.rewriterOf(file)!;
    if (newline && /^[ \t]*$/.test(text.slice(lineStart, start)))
      rewriter.replaceRange(lineStart, end + newline[0].length);
    else if (first > 0 && !comma.startsWith(','))
      rewriter.replaceRange(properties[first - 1]!.getEnd(), memberEnd);
    else rewriter.replaceRange(start, end);
  }
}

function valueOf(member: Member): ts.Node | undefined {
  if (ts.isMethodDeclaration(member)) return undefined;
  return ts.isPropertyAssignment(member) ? member.initializer : member.name;
}

/** The members as they are written. Lists that get one name are one list: `[...one, ...other]`. */
function joined(members: Move['members']): Parts[] {
  const names = [...new Set(members.map(({ name }) => name))];
  return names.map((name) => {
    const same = members.filter((each) => each.name === name);
    const distinct = [...new Map(same.map((each) => [each.value?.getText(), each])).values()];
    if (distinct.length === 1) return distinct[0]!.parts;
    const items = distinct.flatMap(({ value }) =>
      value && ts.isArrayLiteralExpression(value) ? value.elements.map((each) => [each]) : [['...', value!]],
    );
    const once = [
      ...new Map(
        items.map((parts) => [
          parts.map((each) => (typeof each === 'string' ? each : each.getText())).join(''),
          parts,
        ]),
      ).values(),
    ];
    return [`${name}: [`, ...once.flatMap((parts, index) => (index === 0 ? parts : [', ', ...parts])), ']'];
  });
}

export function textOf({ keys, value }: OptionPath): string {
  return keys.join('.') + (value === undefined ? '' : `: ${value}`);
}

function idOf(literal: ts.ObjectLiteralExpression, name: string): string {
  return `${literal.getSourceFile().fileName} ${literal.pos} ${name}`;
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
