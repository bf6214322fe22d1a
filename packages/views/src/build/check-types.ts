import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ViewKind, ViewProblem, ViewSource } from './tool-view.js';

interface Project {
  readonly root: string;
  /** The tsconfig. */
  readonly project: string;
  /** The text of `views.d.ts`. */
  readonly declarations: string;
  /** Ends the check. */
  readonly signal?: AbortSignal;
}

/** What a check has found, and the files of the project that it has read. */
interface CheckedTypes {
  readonly problems: ViewProblem[];
  /** Absolute paths. */
  readonly inputs: string[];
}

/** Under the folder of the project, so that its packages are found from there. */
const FOLDER = '.toolwright/views';

/**
 * Checks each component against the types of its tools, with the compiler of the project. It runs as a program, because
 * TypeScript 7 has no other interface.
 *
 * @throws {Error} when the signal ends it
 */
export async function checkTypes(sources: readonly ViewSource[], project: Project): Promise<CheckedTypes> {
  const kinds = [...new Set(sources.map(({ kind }) => kind))];
  const checks = kinds.map((kind) =>
    checkKind(
      kind,
      sources.filter((source) => source.kind === kind),
      project,
    ),
  );
  // The next check writes into the same folders. So this one is over when all its compilers are.
  await Promise.allSettled(checks);
  const found = await Promise.all(checks);
  return {
    problems: found.flatMap(({ problems }) => problems),
    inputs: [...new Set([project.project, ...found.flatMap(({ inputs }) => inputs)])],
  };
}

async function checkKind(
  kind: ViewKind,
  sources: readonly ViewSource[],
  project: Project,
): Promise<CheckedTypes> {
  const { root, declarations } = project;
  const folder = join(root, FOLDER, kind);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'views.d.ts'), declarations);
  writeFileSync(join(folder, 'assets.d.ts'), readFileSync(join(__dirname, '../../assets.d.ts'), 'utf8'));
  const checks = new Map<string, ViewSource>();
  sources.forEach((source, index) => {
    const name = `check-${index}.ts`;
    checks.set(resolve(folder, name), source);
    writeFileSync(join(folder, name), checkOf(source, folder));
  });
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configOf(kind, project), null, 2));
  const printed = await runCompiler(root, folder, project.signal);
  const files = new Set(sources.map(({ path }) => dirname(path)));
  const problems = problemsIn(printed, folder).flatMap((problem) => {
    const source = checks.get(problem.file);
    if (source)
      return [{ ...problem, ...exportPlace(source), message: `${mismatch(source)} ${problem.message}` }];
    // Types of the server are checked by its own compilation.
    const isOfView = [...files].some((each) => problem.file.startsWith(each + sep));
    return isOfView ? [{ ...problem, file: relative(root, problem.file).split(sep).join('/') }] : [];
  });
  return { problems, inputs: filesIn(printed, folder) };
}

function checkOf({ path, kind, tools }: ViewSource, folder: string): string {
  const from = relative(folder, path).split(sep).join('/');
  // A component that is drawn before the whole result is there gets parts of it.
  const props = /\bexport\s+const\s+partial\s*=\s*true\b/.test(readFileSync(path, 'utf8'))
    ? 'PartialViewOf'
    : 'ViewOf';
  const shape =
    kind === 'plain'
      ? '(props: Props, root: HTMLElement) => void'
      : '((props: Props) => unknown) | (new (props: Props) => { render(): unknown })';
  return [
    `import View from ${JSON.stringify(from)};`,
    `import type { ${props} } from '@toolwright/views';`,
    ...tools.map(
      ({ tool }, index) =>
        `{ type Props = ${props}<${JSON.stringify(tool)}, any>; const shown${index}: ${shape} = View; void shown${index}; }`,
    ),
    '',
  ].join('\n');
}

function configOf(kind: ViewKind, { project }: Project): object {
  return {
    extends: project,
    compilerOptions: {
      noEmit: true,
      composite: false,
      incremental: false,
      tsBuildInfoFile: null,
      declaration: false,
      declarationMap: false,
      emitDeclarationOnly: false,
      isolatedDeclarations: false,
      rootDir: null,
      outDir: null,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      jsx: 'react-jsx',
      jsxImportSource: kind === 'preact' ? 'preact' : 'react',
      paths: {
        '@toolwright/views': [typesOf('index')],
        '@toolwright/views/react': [typesOf('react')],
        '@toolwright/views/preact': [typesOf('preact')],
      },
      noUnusedLocals: false,
    },
    include: ['./*.ts'],
    exclude: [],
    references: [],
  };
}

const typesOf = (name: string) => join(__dirname, `../../dist/${name}.d.ts`);

async function runCompiler(root: string, folder: string, signal: AbortSignal | undefined): Promise<string> {
  const [program, ...first] = programOf(compilerOf(root));
  const child = spawn(program, [...first, '-p', folder, '--pretty', 'false', '--listFiles'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(signal && { signal }),
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.once('error', () => undefined);
  await new Promise((done) => child.once('close', done));
  signal?.throwIfAborted();
  return printed;
}

/**
 * How the compiler is started. TypeScript 7 is a native program. Its own launcher starts Node.js first, which takes longer
 * than the check: 280 ms in all in place of 110 ms.
 */
function programOf(packageFile: string): [program: string, ...first: string[]] {
  const name = `@typescript/typescript-${process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(packageFile).resolve(`${name}/package.json`));
    const native = join(folder, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc');
    if (existsSync(native)) return [native];
  } catch {
    // An earlier TypeScript is a script.
  }
  return [process.execPath, join(dirname(packageFile), 'bin/tsc')];
}

/** The `package.json` of the TypeScript of the project, or of the one that Toolwright has. */
function compilerOf(root: string): string {
  for (const from of [join(root, 'package.json'), process.argv[1]!, __filename])
    try {
      return createRequire(from).resolve('typescript/package.json');
    } catch {
      // The next place.
    }
  throw new Error('There is no TypeScript. Install it: npm install --save-dev typescript');
}

const line = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/;
const general = /^error (TS\d+): (.*)$/;

/** Reads what the compiler prints. Lines with an indent go on with the one before. */
function problemsIn(printed: string, folder: string): ViewProblem[] {
  const problems: ViewProblem[] = [];
  for (const text of printed.split(/\r?\n/)) {
    const [, file, row, column, code, message] = line.exec(text) ?? [];
    const [, ownCode, ownMessage] = general.exec(text) ?? [];
    const last = problems.at(-1);
    if (file)
      problems.push({
        file: resolve(folder, file),
        line: Number(row),
        column: Number(column),
        severity: 'error',
        code: code!,
        message: message!,
      });
    else if (ownCode) throw new Error(`The types of the views cannot be checked: ${ownCode}: ${ownMessage!}`);
    else if (last && /^\s+\S/.test(text))
      problems[problems.length - 1] = { ...last, message: `${last.message} ${text.trim()}` };
  }
  return problems;
}

/** The files of the project that the compiler has read. It prints each file on a line of its own. */
function filesIn(printed: string, folder: string): string[] {
  return printed
    .split(/\r?\n/)
    .filter((text) => isAbsolute(text) && !line.test(text))
    .map((text) => resolve(text))
    .filter((path) => !/[\\/]node_modules[\\/]/.test(path) && !path.startsWith(folder + sep));
}

/** Where a view exports its component. */
export function exportPlace({ path, file }: Pick<ViewSource, 'path' | 'file'>): {
  file: string;
  line: number;
  column: number;
} {
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  const at = lines.findIndex((text) => /\bexport\s+default\b|\bas\s+default\b/.test(text));
  return { file, line: Math.max(at, 0) + 1, column: 1 };
}

function mismatch({ tools }: ViewSource): string {
  return `The component does not fit what ${tools.map(({ tool }) => `"${tool}"`).join(' and ')} returns.`;
}
