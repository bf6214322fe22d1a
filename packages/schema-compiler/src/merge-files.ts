import { type JsonSchema, mapConditions, mapRevivals, referencesIn } from '@toolwright/json';
import type { CompiledFile, CompiledOperation, CompiledProject } from './compiled-project.js';
import { makeDiagnostic } from './diagnostics/diagnostic.js';
import type { CompiledQuestion } from './questions/compile-questions.js';

/** The result of compiling a file, with the absolute path of the file. */
export interface NamedFile extends CompiledFile {
  fileName: string;
}

/** Joins the results of a project's files, in the order of the files. */
export function mergeFiles(root: string, stored: readonly NamedFile[]): CompiledProject {
  const files = stored.map(completeConditions);
  const compiled: CompiledProject = {
    root,
    operations: reportDuplicateNames(files.flatMap(({ operations }) => operations)),
    classes: {},
    revivals: {},
    questions: reportClashingKeys(files.flatMap(({ questions }) => questions)),
    schedules: files.flatMap(({ schedules }) => schedules),
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
    files: files.map(({ fileName }) => fileName),
  };
  for (const { classes, revivals } of files) {
    for (const [key, described] of Object.entries(classes)) {
      compiled.classes[key] = { ...described, ...compiled.classes[key] };
    }
    Object.assign(compiled.revivals, revivals);
  }
  return compiled;
}

/**
 * Two files may use one name for different definitions. So each condition of a union gets the definitions of
 * its file, which are one object for all.
 */
function completeConditions(file: NamedFile): NamedFile {
  const { definitions, operations, questions, revivals } = file;
  if (Object.keys(definitions).length === 0) return file;
  const complete = (when: JsonSchema) =>
    referencesIn(when).length > 0 ? { ...when, $defs: definitions } : when;
  return {
    ...file,
    operations: operations.map((operation) => {
      const { input, output } = operation.revive;
      const revive = {
        ...(input && { input: mapRevivals(input, complete) }),
        ...(output && { output: mapConditions(output, complete) }),
      };
      return { ...operation, revive };
    }),
    questions: questions.map((question) =>
      question.revive ? { ...question, revive: mapConditions(question.revive, complete) } : question,
    ),
    revivals: mapRevivals(revivals, complete),
  };
}

/**
 * Reports every tool whose name a tool of another class already has, unless each is for some callers. Both stay in the
 * result, because perhaps no server has both classes. Two equal names within one class are reported elsewhere, because no server
 * could start with that class.
 */
function reportDuplicateNames(operations: CompiledOperation[]): CompiledOperation[] {
  const owners = new Map<string, CompiledOperation>();
  return operations.map((operation) => {
    if (!operation.kinds.includes('tool')) return operation;
    const name = versionedName(operation);
    const owner = owners.get(name);
    if (!owner) owners.set(name, operation);
    if (!owner || owner.classKey === operation.classKey || isSamePlace(owner, operation)) return operation;
    if (owner.hasAudience && operation.hasAudience) return operation;
    const detail = `${operation.publishedName} is also the name of ${owner.key}.`;
    const diagnostic = makeDiagnostic('TW_SCHEMA_DUPLICATE_NAME', operation.location, detail);
    return { ...operation, diagnostics: [...operation.diagnostics, diagnostic] };
  });
}

/** Each version of a tool has a name of its own, as the server makes it. */
function versionedName({ publishedName, declared }: CompiledOperation): string {
  const version = declared.find(({ kind }) => kind === 'tool')?.options['version'];
  return typeof version === 'string' ? `${publishedName}.v${version}` : publishedName;
}

/**
 * Two classes inherit the same method. A server then has one of the classes, and the other one is a base
 * class.
 */
function isSamePlace(a: CompiledOperation, b: CompiledOperation): boolean {
  return a.location.file === b.location.file && a.location.line === b.location.line;
}

/**
 * Reports every question whose key belongs to a different question, because at run time only the key
 * identifies a question. The same question may be asked in several places.
 */
function reportClashingKeys(questions: readonly CompiledQuestion[]): CompiledQuestion[] {
  const first = new Map<string, CompiledQuestion>();
  return questions.map((question) => {
    const { key, location, diagnostics } = question;
    if (key === undefined) return question;
    const other = first.get(key);
    if (!other) first.set(key, question);
    if (!other || signatureOf(other) === signatureOf(question)) return question;
    const { file, line } = other.location;
    const detail = `The key "${key}" already belongs to another question, at ${file}:${line}.`;
    return {
      ...question,
      diagnostics: [...diagnostics, makeDiagnostic('TW_SCHEMA_QUESTION', location, detail)],
    };
  });
}

function signatureOf({ kind, schema }: CompiledQuestion): string {
  return `${kind} ${JSON.stringify(schema)}`;
}
