import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { Snippet } from './snippet.js';

/**
 * Type-checks all snippets in one program, without writing a file.
 *
 * @returns one line per error: `docs/testing.md:12:5: TS2345: …`
 */
export function compileSnippets(root: string, snippets: Snippet[]): string[] {
  const written = new Map(snippets.map((snippet, index) => [virtualPath(root, snippet, index), snippet]));
  const files = new Map([...filesThatStay(root, snippets), ...written]);
  const options = readOptions(root);
  const host = virtualHost(root, options, files);
  const program = ts.createProgram({ rootNames: [...files.keys()], options, host });
  return [...written].flatMap(([path, snippet]) => {
    const source = program.getSourceFile(path)!;
    const diagnostics = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    return diagnostics.map((diagnostic) => describe(diagnostic, source, snippet));
  });
}

/** Files of the disk, kept from one program to the next: parsing them is most of the work. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** A folder of its own per page and stage, whose blocks then see each other and nothing else. */
function virtualPath(root: string, { page, file, stage }: Snippet, index: number): string {
  return join(root, `${page}.snippets`, `stage-${stage}`, file ?? `block-${index}.ts`);
}

/** The files of each stage that a page wrote in an earlier one and not again. They were checked there. */
function filesThatStay(root: string, snippets: Snippet[]): [string, Snippet][] {
  const last = new Map(snippets.map(({ page, stage }) => [page, stage]));
  return snippets.flatMap((snippet, index) => {
    if (snippet.file === undefined) return [];
    const later = last.get(snippet.page)! - snippet.stage;
    return Array.from({ length: later }, (_, step): [string, Snippet] => [
      virtualPath(root, { ...snippet, stage: snippet.stage + step + 1 }, index),
      snippet,
    ]);
  });
}

function readOptions(root: string): ts.CompilerOptions {
  const file = join(root, 'tsconfig.test.json');
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  return ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root).options;
}

/** Adds the snippets to the disk's files, as ES modules: a page may use `await` at the top level. */
function virtualHost(
  root: string,
  options: ts.CompilerOptions,
  files: Map<string, Snippet>,
): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const texts = new Map([...files].map(([path, { lines }]) => [path, `${lines.join('\n')}\nexport {};\n`]));
  for (const path of files.keys()) texts.set(join(dirname(path), 'package.json'), '{"type":"module"}');
  const folders = new Set([...files.keys()].map(dirname));
  const { directoryExists, fileExists, readFile, getSourceFile } = host;
  host.directoryExists = (path) => folders.has(path) || directoryExists!(path);
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, target, ...rest) => {
    if (texts.has(path)) return ts.createSourceFile(path, texts.get(path)!, target, true);
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, target, ...rest));
    return parsed.get(path);
  };
  host.resolveModuleNameLiterals = resolveFrom([root, ...workspaceFolders(root)], host);
  return host;
}

/** Pages have no dependencies of their own: they may import whatever some package of the workspace depends on. */
function resolveFrom(
  folders: string[],
  host: ts.ModuleResolutionHost,
): ts.CompilerHost['resolveModuleNameLiterals'] {
  return (literals, file, redirected, options, source) =>
    literals.map((literal) => {
      const mode = ts.getModeForUsageLocation(source, literal, options);
      const resolve = (from: string) =>
        ts.resolveModuleName(literal.text, from, options, host, undefined, redirected, mode);
      const direct = resolve(file);
      if (direct.resolvedModule || !file.includes('.snippets/') || literal.text.startsWith('.'))
        return direct;
      const elsewhere = folders.map((folder) => resolve(join(folder, 'index.ts')));
      return elsewhere.find(({ resolvedModule }) => resolvedModule) ?? direct;
    });
}

const workspaceFolders = (root: string) =>
  ['packages', 'apps'].flatMap((room) => readdirSync(join(root, room)).map((name) => join(root, room, name)));

function describe(
  { start = 0, code, messageText }: ts.Diagnostic,
  source: ts.SourceFile,
  snippet: Snippet,
): string {
  const { line, character } = source.getLineAndCharacterOfPosition(start);
  const text = ts.flattenDiagnosticMessageText(messageText, '\n  ');
  return `${snippet.page}:${snippet.origin[line] ?? snippet.origin.at(-1)}:${character + 1}: TS${code}: ${text}`;
}
