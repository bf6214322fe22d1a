import { dirname, resolve } from 'node:path';
import { readConfig, standInForCore, ts } from '@toolwright/schema-compiler/project';
import type { Level } from './drafted-class.js';
import { errorsBelow } from './rewrite-returns.js';
import { type FoundCall, type Unrolled, findRegistrations, unrollLoops } from './find-registrations.js';
import { migrateFile, subjectOf, type FileDraft } from './migrate-file.js';
import { noteAt, type Migration, type MigrationCount, type MigrationNote } from './migration.js';

/**
 * Plans the way from the official SDK: classes with decorated methods for what a project registers with an
 * `McpServer`. Every new method is type-checked. One that does not compile is written more plainly, and left
 * out at last. Nothing is written to disk.
 *
 * @param configFile path of the tsconfig
 * @throws {ProjectError} the tsconfig cannot be read
 */
export function migrateProject(configFile: string): Migration {
  const path = resolve(configFile);
  const { options, fileNames } = readConfig(path);
  const standIn = standInForCore(dirname(path), options);
  const extra = new Map(standIn ? [[standIn.path, standIn.text]] : []);
  const own = new Set(fileNames.map((name) => resolve(name)));
  const ownFiles = (program: ts.Program) =>
    program
      .getSourceFiles()
      .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && own.has(resolve(fileName)));
  const given = programOf(fileNames, options, extra);
  const before = new Map(ownFiles(given).map((file) => [file.fileName, file]));
  const unrolled = new Map(
    [...before].flatMap(([name, file]) => {
      const found = unrollLoops(file, given.getTypeChecker());
      return found ? [[name, found] as const] : [];
    }),
  );
  const written = new Map([...unrolled].map(([name, { text }]) => [name, text]));
  const program =
    unrolled.size === 0 ? given : programOf(fileNames, options, new Map([...extra, ...written]), given);
  const checker = program.getTypeChecker();
  const files = ownFiles(program);
  const found = new Map<ts.SourceFile, FoundCall[]>();
  for (const file of files) {
    const calls = findRegistrations(file, checker);
    if (calls.length > 0) found.set(file, calls);
  }
  const levels = new Map<ts.CallExpression, Level>();
  const failures: MigrationNote[] = [];
  for (;;) {
    const results = [...found].map(([file, calls]) => ({
      file,
      calls,
      ...migrateFile(file, calls, checker, levels),
    }));
    const drafts = results.filter(
      (each): each is typeof each & { draft: FileDraft } => each.draft !== undefined,
    );
    const texts = new Map([
      ...extra,
      ...written,
      ...drafts.map(({ file, draft }): [string, string] => [file.fileName, draft.text]),
    ]);
    const checked = programOf(fileNames, options, texts, program);
    const problems = drafts.flatMap(({ file, draft, calls }) => problemsOf(checked, file, draft, calls));
    if (problems.length === 0) {
      const handlers = drafts.flatMap(({ draft }) => draft.handlers);
      const errors = errorsBelow(handlers, checker, (file) => files.includes(file)).map(noteError);
      const migration = migrationOf(results, [...failures, ...errors]);
      return asGiven(migration, before, unrolled);
    }
    for (const { call, calls, message } of problems) {
      const level = ((levels.get(call) ?? 0) + 1) as Level;
      levels.set(call, level);
      if (level < 3) continue;
      const { kind, name } = calls.find((each) => each.call === call)!;
      const reason = `The method would not compile: ${message}`;
      failures.push(noteAt(call, subjectOf(kind, name), { reason, advice: 'Write the method by hand.' }));
    }
  }
}

/** The texts and places of the project as it is on disk, where loops are not written out. */
function asGiven(
  { files, notes, counts }: Migration,
  before: ReadonlyMap<string, ts.SourceFile>,
  unrolled: ReadonlyMap<string, Unrolled>,
): Migration {
  const placed = ({ file, offset, ...note }: MigrationNote): MigrationNote => {
    const original = unrolled.get(file)?.originalPlace(offset);
    if (original === undefined) return { file, offset, ...note };
    const { line, character } = before.get(file)!.getLineAndCharacterOfPosition(original);
    return { ...note, file, offset: original, line: line + 1, column: character + 1 };
  };
  const texts = new Map([...before].map(([name, { text }]) => [resolve(name), text]));
  return {
    files: files.map((each) => ({ ...each, before: texts.get(each.path) ?? each.before })),
    notes: notes.map(placed),
    counts,
  };
}

function noteError(thrown: ts.ThrowStatement): MigrationNote {
  return noteAt(thrown, 'error', {
    reason: 'The model no longer reads its text: a method calls the function that throws it.',
    advice: 'Throw a ToolError of @toolwright/core if the model should read it.',
  });
}

function programOf(
  rootNames: readonly string[],
  options: ts.CompilerOptions,
  texts: ReadonlyMap<string, string>,
  oldProgram?: ts.Program,
): ts.Program {
  const host = ts.createCompilerHost(options, true);
  const read = host.getSourceFile.bind(host);
  const known = new Map(oldProgram?.getSourceFiles().map((file) => [file.fileName, file]));
  return ts.createProgram({
    rootNames,
    options: { ...options, noEmit: true },
    host: {
      ...host,
      fileExists: (name) => texts.has(name) || host.fileExists(name),
      readFile: (name) => texts.get(name) ?? host.readFile(name),
      getSourceFile: (name, target, ...rest) => {
        const text = texts.get(name);
        if (text !== undefined && known.get(name)?.text !== text)
          return ts.createSourceFile(name, text, target, true);
        return known.get(name) ?? read(name, target, ...rest);
      },
    },
    ...(oldProgram && { oldProgram }),
  });
}

interface CompileProblem {
  call: ts.CallExpression;
  calls: readonly FoundCall[];
  message: string;
}

/** The type errors inside new methods, one for each method. */
function problemsOf(
  program: ts.Program,
  before: ts.SourceFile,
  draft: FileDraft,
  calls: readonly FoundCall[],
): CompileProblem[] {
  const file = program.getSourceFile(before.fileName)!;
  const types = file.statements
    .filter(ts.isClassDeclaration)
    .filter(({ name }) => name && draft.classNames.includes(name.text));
  const problems = new Map<ts.CallExpression, CompileProblem>();
  const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  for (const { start, messageText } of diagnostics) {
    const isAt = (each: ts.Node) => start !== undefined && each.pos <= start && start < each.end;
    const type = types.find(isAt);
    const method = type?.members.find(isAt);
    const call = method?.name && draft.methods.get(`${type!.name!.text}.${method.name.getText(file)}`);
    const message = ts.flattenDiagnosticMessageText(messageText, ' ');
    // What does not resolve here did not resolve before either, such as a package that is not installed.
    if (call && !/^Cannot find (module|name)|has no exported member/.test(message) && !problems.has(call))
      problems.set(call, { call, calls, message });
  }
  return [...problems.values()];
}

type FileResult = {
  file: ts.SourceFile;
  calls: readonly FoundCall[];
  draft: FileDraft | undefined;
  notes: MigrationNote[];
};

function migrationOf(results: readonly FileResult[], others: readonly MigrationNote[]): Migration {
  const counts = new Map<string, MigrationCount>();
  for (const { calls, draft } of results)
    for (const { kind, call } of calls) {
      const label = kind === 'resourceTemplate' ? 'resource template' : kind;
      const count = counts.get(label) ?? { kind: label, found: 0, converted: 0 };
      const isConverted = [...(draft?.methods.values() ?? [])].includes(call);
      counts.set(label, {
        ...count,
        found: count.found + 1,
        converted: count.converted + Number(isConverted),
      });
    }
  const files = results.flatMap(({ file, draft }) =>
    draft
      ? [
          {
            path: resolve(file.fileName),
            before: file.text,
            after: draft.text,
            className: draft.classNames.join(', '),
          },
        ]
      : [],
  );
  const all = [...others, ...results.flatMap(({ notes, draft }) => [...notes, ...(draft?.notes ?? [])])];
  all.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
  return { files, notes: all, counts: [...counts.values()] };
}
