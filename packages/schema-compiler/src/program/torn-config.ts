import { dirname, join } from 'node:path';
import type { ts } from '../generator/tjs-adapter.js';

/** TypeScript numbers the problems of syntax from 1000, those of types from 2000. */
const FIRST_SEMANTIC_CODE = 2000;

/** A config that `extends` names cannot be read, does not exist, or leads back to this one. */
const unreadable = new Set([5083, 6053, 18000]);

type Compiler = Pick<
  typeof ts,
  'sys' | 'flattenDiagnosticMessageText' | 'readJsonConfigFile' | 'DiagnosticCategory'
>;

/** A tsconfig as the compiler read it. The compiler has both fields, and hides one of them. */
type ReadConfig = ts.TsConfigSourceFile & { parseDiagnostics: readonly ts.Diagnostic[] };

/** The tsconfig of a project, as the compiler read it. */
function ownConfig({ options }: Pick<ts.ParsedCommandLine, 'options'>): ReadConfig {
  return (options as { configFile?: ReadConfig }).configFile!;
}

/** The configs that a tsconfig extends, whether they exist or not. */
export function extendedConfigs(config: Pick<ts.ParsedCommandLine, 'options'>): readonly string[] {
  return ownConfig(config).extendedSourceFiles ?? [];
}

/**
 * Finds why a tsconfig, one that it extends, or the package.json of its folder cannot be read. The compiler goes on with what it could read, and then options
 * that are set seem to be off.
 *
 * @returns what is wrong, with its place and what to do; empty if all can be read
 */
export function findTorn(config: ts.ParsedCommandLine, compiler: Compiler): ts.Diagnostic[] {
  const own = ownConfig(config);
  const names = [own.fileName, ...extendedConfigs(config)];
  // Such a file was saved by halves. The compiler takes it for a config without options.
  const empty = names.filter((name) => compiler.sys.readFile(name)?.trim() === '');
  const ofSyntax = [...own.parseDiagnostics, ...config.errors].filter(
    ({ code }) => code < FIRST_SEMANTIC_CODE,
  );
  const extending = { file: own, start: Math.max(0, own.text.indexOf('"extends"')) };
  const say = (
    diagnostic: Pick<ts.Diagnostic, 'code' | 'file' | 'start' | 'messageText'>,
    remedy: string,
  ) => ({
    ...diagnostic,
    length: undefined,
    category: compiler.DiagnosticCategory.Error,
    messageText: `${compiler.flattenDiagnosticMessageText(diagnostic.messageText, '\n')} ${remedy}`,
  });
  return [
    ...empty.map((name) => {
      const file = compiler.readJsonConfigFile(name, () => '');
      return say(
        { file, start: 0, code: 1005, messageText: "'{' expected." },
        'Correct the file: it is empty.',
      );
    }),
    ...findTornPackage(dirname(own.fileName), compiler).map((each) =>
      say(each, 'Correct the file: it is not JSON.'),
    ),
    ...ofSyntax.map((each) => say(each, 'Correct the file: it is not JSON.')),
    ...config.errors
      .filter(({ code }) => unreadable.has(code))
      .map((each) =>
        say(each.file ? each : { ...each, ...extending }, 'Correct "extends", or install its package.'),
      ),
  ];
}

/** A `package.json` says what the modules of its folder are. The compiler goes on without what it cannot read there. */
function findTornPackage(folder: string, compiler: Compiler): readonly ts.Diagnostic[] {
  const path = join(folder, 'package.json');
  const text = compiler.sys.readFile(path);
  if (text === undefined) return dirname(folder) === folder ? [] : findTornPackage(dirname(folder), compiler);
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const file = compiler.readJsonConfigFile(path, () => text) as ReadConfig;
    const { message: messageText } = error as Error;
    const category = compiler.DiagnosticCategory.Error;
    // The compiler allows comments and a comma at the end.
    const [first = { file, start: 0, length: 0, code: 1005, category, messageText }] = file.parseDiagnostics;
    return [first];
  }
}
