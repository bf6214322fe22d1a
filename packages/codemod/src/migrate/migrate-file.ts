import { ts } from '@toolwright/schema-compiler/project';
import { type NamedImport, importInsertion, insertAll } from '../edits/insertion.js';
import { codeStyleOf } from './constants.js';
import { draftMethod } from './draft-method.js';
import {
  type ClassFields,
  type Level,
  type DraftedMethod,
  addFields,
  addToClass,
  constructorText,
  memberNames,
  noteFields,
  noteOwner,
  parametersAround,
} from './drafted-class.js';
import type { FoundCall } from './find-registrations.js';
import { type MigrationNote, ConversionProblem, noteAt } from './migration.js';
import { allNames, classNameFor, hasValueNamed, methodNames } from './names.js';
import { namesIn } from './references.js';
import {
  type NamedFunction,
  closeEmptied,
  functionsAround,
  lineStart,
  removeUnused,
} from './remove-unused.js';
import type { NamedClass, FoundRegistration } from './registration.js';
import { replaceStartup, type Startup } from './replace-startup.js';
import { Rewriter } from './rewriter.js';
import { commentsAbove } from './write-method.js';
import { ShapeWriter } from './zod/type-writer.js';

/** A file with a new class in place of registrations. */
export interface FileDraft {
  text: string;
  /** The new class, and the classes that got methods. */
  classNames: readonly string[];
  /** The calls that methods replace, by `Class.method`. */
  methods: ReadonlyMap<string, ts.CallExpression>;
  handlers: readonly ts.Expression[];
  notes: MigrationNote[];
}

/**
 * Writes a class for the registrations of a file.
 *
 * @param levels how far each registration is rewritten; 0 for a registration that is not in it
 * @returns undefined if nothing of the file is understood
 */
export function migrateFile(
  file: ts.SourceFile,
  found: readonly FoundCall[],
  checker: ts.TypeChecker,
  levels: ReadonlyMap<ts.CallExpression, Level>,
): { draft: FileDraft | undefined; notes: MigrationNote[] } {
  const notes: MigrationNote[] = [];
  const style = codeStyleOf(file);
  const taken = allNames(file);
  let types = new ShapeWriter(taken, style);
  const textName = hasValueNamed(file, 'text') ? 'textContent' : 'text';
  const understood: FoundRegistration[] = [];
  for (const { read, call } of found) {
    if (read instanceof ConversionProblem) notes.push(noteOf(found, call, read));
    else if ((levels.get(call) ?? 0) < 3) understood.push(read);
  }
  const names = new Map<FoundRegistration, string>();
  const owners = new Set(understood.map(({ owner }) => owner));
  for (const owner of owners) {
    const own = understood.filter((each) => each.owner === owner);
    const reserved = owner ? memberNames(owner) : parametersAround(own);
    for (const [registration, name] of methodNames(own, reserved)) names.set(registration, name);
  }
  const methods: DraftedMethod[] = [];
  const fields: ClassFields = new Map();
  for (const registration of understood) {
    const fork = types.fork();
    try {
      const context = { file, checker, style, types: fork, textName, taken };
      const level = levels.get(registration.call) ?? 0;
      const method = draftMethod(registration, names.get(registration)!, level, context);
      addFields(fields, method.bound);
      methods.push(method);
      types = fork;
      for (const note of method.notes) notes.push(noteOf(found, registration.call, note));
    } catch (error) {
      if (!(error instanceof ConversionProblem)) throw error;
      notes.push(noteOf(found, registration.call, error));
    }
  }
  if (methods.length === 0) return { draft: undefined, notes };
  const converted = methods.map(({ registration }) => registration);
  const free = methods.filter(({ registration }) => !registration.owner);
  const owning = [...owners].filter(
    (owner) => owner !== undefined && converted.some((each) => each.owner === owner),
  ) as NamedClass[];
  const own = classNameFor(
    file.fileName,
    free.map(({ registration }) => registration),
    taken,
  );
  const classNames = [...(free.length > 0 ? [own] : []), ...owning.map(({ name }) => name.text)];
  const className = classNames.join(', ');
  const rewriter = new Rewriter(file);
  const startup = replaceStartup({
    file,
    checker,
    rewriter,
    className,
    isBuiltByHand: fields.size > 0 || owning.length > 0,
    converted: converted.map(({ call }) => call),
  });
  const imports = importsOf(methods, types, textName, startup);
  const typesText = types.declarations.map((each) => `${each}\n\n`).join('');
  for (const [index, owner] of owning.entries())
    addToClass(
      owner,
      methods.filter(({ registration }) => registration.owner === owner),
      { rewriter, types: index === 0 && free.length === 0 ? typesText : '' },
    );
  const classText =
    free.length === 0
      ? ''
      : `${typesText}@McpService()\nexport class ${own} {\n${constructorText(fields, style)}${free.map(({ text }) => text).join('\n')}}\n`;
  const removed: ts.Statement[] = [
    ...converted.map(({ statement }) => statement),
    ...(startup?.removed ?? []),
  ];
  const text = assemble({ file, rewriter, classText, removed, last: converted.at(-1)!.statement });
  const candidates = new Set(removed.flatMap((each) => namesIn(each).map(({ text: name }) => name)));
  const clean = removeUnused(text, withWhatTheyUse(candidates, file));
  const closed = closeEmptied(clean, functionsAround(removed));
  const draft: FileDraft = {
    text: restoreLineEnds(withGapBefore(classText, addImports(closed.text, imports)), file.text),
    classNames,
    methods: new Map(
      converted.map((each) => [`${each.owner?.name.text ?? own}.${names.get(each)!}`, each.call]),
    ),
    handlers: converted.map(({ handler }) => handler),
    notes: [
      ...remaining(file, startup, className, closed.emptied),
      ...noteFields(fields, own),
      ...owning.map(noteOwner),
    ],
  };
  return { draft, notes };
}

function noteOf(
  found: readonly FoundCall[],
  call: ts.CallExpression,
  problem: ConversionProblem,
): MigrationNote {
  const { kind, name } = found.find((each) => each.call === call)!;
  return noteAt(problem.node, subjectOf(kind, name), problem);
}

export function subjectOf(kind: string, name: string): string {
  return `${kind === 'resourceTemplate' ? 'resource template' : kind} "${name}"`;
}

function importsOf(
  methods: readonly DraftedMethod[],
  types: ShapeWriter,
  textName: string,
  startup: Startup | undefined,
): NamedImport[] {
  const decorators = {
    tool: 'McpTool',
    prompt: 'McpPrompt',
    resource: 'McpResource',
    resourceTemplate: 'McpResourceTemplate',
  };
  const used = new Set(['McpService', ...types.imports]);
  for (const { registration, imports } of methods) {
    used.add(decorators[registration.kind]);
    for (const name of imports) used.add(name);
  }
  const onlyTypes = ['Structured', 'ToolResult', 'PromptResult', 'ResourceResult', 'integer'];
  const from = '@toolwright/core';
  const names = [...used]
    .sort()
    .map((name) =>
      name === 'text' && textName !== name
        ? `text as ${textName}`
        : onlyTypes.includes(name)
          ? `type ${name}`
          : name,
    );
  const started = startup?.imports ?? [];
  const all = [...names, ...started.filter((each) => each.from === from).map(({ name }) => name)];
  return [{ name: all.join(', '), from }, ...started.filter((each) => each.from !== from)];
}

function addImports(text: string, imports: readonly NamedImport[]): string {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
  return insertAll(text, [importInsertion(file, imports)]);
}

interface Assembly {
  file: ts.SourceFile;
  rewriter: Rewriter;
  classText: string;
  removed: readonly ts.Statement[];
  last: ts.Statement;
}

/** Cuts the registrations, and puts the class where the last of them was, or before the function that held it. */
function assemble({ file, rewriter, classText, removed, last }: Assembly): string {
  let outermost: ts.Node = last;
  while (!ts.isSourceFile(outermost.parent)) outermost = outermost.parent;
  for (const statement of removed) {
    const comments = commentsAbove(statement, file);
    const start = lineStart(file.text, comments[0]?.pos ?? statement.getStart(file));
    const rest = /^[ \t]*(\/\/[^\n]*)?(\r?\n|$)/.exec(file.text.slice(statement.getEnd()));
    const end = statement.getEnd() + (rest?.[0].length ?? 0);
    const gap = /(^|\n[ \t]*\r?\n|\{[ \t]*\r?\n)$/.test(file.text.slice(0, start))
      ? /^([ \t]*\r?\n)*/.exec(file.text.slice(end))![0].length
      : 0;
    if (statement === last && outermost === last) rewriter.replaceRange(start, end, classText);
    else rewriter.replaceRange(start, end + gap);
  }
  if (outermost !== last && classText !== '') {
    const comment = ts.getLeadingCommentRanges(file.text, outermost.getFullStart())?.at(-1);
    const isAbove = comment && file.text.slice(comment.end, outermost.getStart(file)).split('\n').length <= 2;
    const at = isAbove ? comment.pos : outermost.getStart(file);
    rewriter.replaceRange(at, at, `${classText}\n`);
  }
  return rewriter.render(0, file.getEnd());
}

/** The constants that the names use, and what those use in turn. */
function withWhatTheyUse(names: Set<string>, file: ts.SourceFile): Set<string> {
  const all = new Set(names);
  const constants = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const name of all) {
    const value = constants.get(name);
    if (value) for (const each of namesIn(value)) all.add(each.text);
  }
  return all;
}

/** What the SDK's server is still used for, and functions that have nothing left to do. */
function remaining(
  file: ts.SourceFile,
  startup: Startup | undefined,
  className: string,
  emptied: readonly NamedFunction[],
): MigrationNote[] {
  const notes: MigrationNote[] = [];
  if (startup && startup.obstacles.length > 0) {
    const lines = startup.obstacles.map(
      (each) => file.getLineAndCharacterOfPosition(each.getStart(file)).line + 1,
    );
    const uses = [...new Set(lines)].join(', ');
    notes.push(
      noteAt(startup.server, "the SDK's server", {
        reason: `It is still used here (line ${uses}), so it was left. It no longer has what became ${className}.`,
        advice: `Start a server of Toolwright instead: createMcpServer({ name, version, services: [${className}] }), with serveStdio or mcpExpress (docs/coming-from-the-sdk.md).`,
      }),
    );
  }
  for (const { node, name } of emptied) {
    notes.push(
      noteAt(node, `function ${name}`, {
        reason: 'It has nothing left to register.',
        advice: `Remove it and its calls, and list ${className} in the services of createMcpServer.`,
      }),
    );
  }
  return notes;
}

function withGapBefore(part: string, text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  const at = lines.indexOf(part);
  return at < 1 || lines.slice(0, at).endsWith('\n\n') ? text : `${lines.slice(0, at)}\n${lines.slice(at)}`;
}

function restoreLineEnds(text: string, before: string): string {
  return before.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}
