import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, posix, relative, resolve, sep } from 'node:path';
import { makeFolder } from '@toolwright/json';
import { formatManifest, MANIFEST_FILE, type Manifest } from '@toolwright/manifest';
import { CommandError, usageError } from '@toolwright/operate/terminal';
import { CheckedProject } from '../dev/compile/checked-project.js';
import { loadTypeScript } from '../dev/compile/load-typescript.js';
import type { CompileProblem } from '../dev/problem.js';
import { findBootDiagnostics } from '../build/boot-diagnostics.js';
import { parametersOf } from '../build/circles.js';
import {
  nodeTypes,
  ownPackages,
  type PackageOfFile,
  packageOf,
  typesOfOwnPackages,
} from './packages-of-file.js';

/** What a file was compiled to. */
export interface CompiledSingleFile {
  readonly problems: readonly CompileProblem[];
  readonly manifest: Manifest;
}

/**
 * A file of TypeScript that is served without a project. A project is made for it, in `.toolwright/run` beside it: there
 * Node.js finds the packages of the file's folder, and the packages of this command before them.
 */
export class SingleFile {
  /** The folder of the project. */
  readonly directory: string;
  /** Absolute path of its tsconfig. */
  readonly project: string;
  /** The program that serves the file. */
  readonly entry: string;
  readonly #isModule: boolean;
  readonly #package: PackageOfFile;
  #checked: CheckedProject | undefined;

  /** @param file absolute path */
  constructor(readonly file: string) {
    const name = basename(file, extname(file));
    this.directory = join(dirname(file), '.toolwright/run', name);
    this.project = join(this.directory, 'tsconfig.json');
    this.entry = join(this.directory, 'serve.mjs');
    this.#package = packageOf(dirname(file));
    this.#isModule = extname(file) === '.mts' || (extname(file) === '.ts' && this.#package.type === 'module');
  }

  /** @throws {CommandError} if the folder of the file cannot be written */
  prepare(): void {
    const { directory, file } = this;
    try {
      rmSync(directory, { recursive: true, force: true });
      makeFolder(join(directory, 'node_modules/@toolwright'));
      for (const [name, folder] of ownPackages())
        symlinkSync(
          folder,
          join(directory, 'node_modules', name),
          process.platform === 'win32' ? 'junction' : 'dir',
        );
      write(join(dirname(file), '.toolwright/.gitignore'), '*\n');
      // Files that the file imports are compiled to what their folder says. Its own ending may say otherwise.
      write(join(directory, 'package.json'), JSON.stringify({ type: this.#package.type }));
      write(this.project, JSON.stringify(this.#tsconfig(), null, 2));
      write(this.entry, serveProgram(file, this.#package.folder));
    } catch (error) {
      throw new CommandError(
        `${relative(process.cwd(), directory)} cannot be written: ${(error as Error).message}. It holds what ${basename(file)} is compiled to.`,
      );
    }
  }

  #tsconfig(): object {
    const { directory, file } = this;
    const fromHere = (path: string) => relative(directory, path).split(sep).join('/');
    const types = nodeTypes(dirname(file));
    return {
      compilerOptions: {
        target: 'ES2022',
        lib: ['ES2022', ...(types ? [] : ['DOM'])],
        module: 'nodenext',
        // The file may import what lies anywhere in its package, and plain JavaScript.
        rootDir: fromHere(this.#package.folder),
        allowJs: true,
        outDir: 'dist',
        strict: true,
        skipLibCheck: true,
        esModuleInterop: true,
        resolveJsonModule: true,
        sourceMap: true,
        experimentalDecorators: true,
        emitDecoratorMetadata: true,
        types: [],
        paths: typesOfOwnPackages(),
      },
      files: [fromHere(file), ...(types ? [fromHere(types)] : [])],
    };
  }

  /** Checks types and signatures. If they are right, writes what the program loads. */
  async compile(): Promise<CompiledSingleFile> {
    const { buildManifest } = await import('@toolwright/schema-compiler');
    const checked = (this.#checked ??= new CheckedProject(
      loadTypeScript(this.project),
      this.project,
      this.file,
    ));
    checked.edit([this.file]);
    const { problems: ofTypes, outputs, entry } = checked.check();
    const { manifest, diagnostics, declared } = await buildManifest({ project: this.project });
    const ofBoot = [...(await findBootDiagnostics({ manifest, declared })).values()].flat();
    const problems = [
      ...ofTypes,
      ...[...diagnostics, ...ofBoot].map((each) => ({ ...each, file: resolve(this.directory, each.file) })),
    ];
    if (problems.some(({ severity }) => severity === 'error')) return { problems, manifest };
    const [services, providers] = this.#classesOf(manifest);
    if (services.length === 0)
      throw new CommandError(
        `${basename(this.file)} has no decorated class. Put @McpTool() above a method of a class: import { McpTool } from '@toolwright/core'.`,
      );
    write(join(this.directory, MANIFEST_FILE), formatManifest(manifest));
    for (const [path, text] of outputs)
      write(path, path === entry?.module ? text + this.#lists(services, providers) : text);
    return { problems, manifest };
  }

  /** The names of the classes with decorated methods, and of those of the file that they need. */
  #classesOf({ classes, entries }: Manifest): [services: string[], providers: string[]] {
    const own = Object.entries(classes).filter(
      ([, { location }]) => resolve(this.directory, location.file) === this.file,
    );
    // A class that is not exported is known by its name alone.
    const byName = new Map(own.map(([, definition]) => [definition.name, definition]));
    const served = new Set(entries.map((entry) => entry.class));
    const services = own.filter(([key]) => served.has(key)).map(([, { name }]) => name);
    const needed = new Set(services);
    for (const name of needed)
      for (const { type } of parametersOf(byName.get(name))) if (byName.has(type)) needed.add(type);
    return [services, [...needed].filter((name) => !services.includes(name))];
  }

  /** Classes need not be exported: the compiled file hands them on. */
  #lists(services: readonly string[], providers: readonly string[]): string {
    const lists = Object.entries({ toolwrightServices: services, toolwrightProviders: providers });
    const written = lists.map(([name, classes]) =>
      this.#isModule
        ? `export const ${name} = [${classes.join(', ')}];`
        : `exports.${name} = [${classes.join(', ')}];`,
    );
    return `\n${written.join('\n')}\n`;
  }
}

function write(path: string, text: string): void {
  makeFolder(dirname(path));
  writeFileSync(path, text);
}

/**
 * The program that serves the file. It is the same for both kinds of modules. The file may print while it is loaded, so
 * standard output is guarded before.
 */
function serveProgram(file: string, root: string): string {
  const ending = extname(file);
  const name = basename(file, ending);
  const folder = relative(root, dirname(file)).split(sep).join('/');
  return `import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMcpServer, failStart } from '@toolwright/core';

const stdio = process.argv.includes('--stdio') ? await import('@toolwright/stdio') : undefined;
stdio?.guardStdout();
const built = ${JSON.stringify(posix.join('dist', folder, name + ending.replace('ts', 'js')))};
const file = await import(pathToFileURL(join(import.meta.dirname, built)).href);

const manifest = join(import.meta.dirname, 'mcp.manifest.json');
const { toolwrightServices: services, toolwrightProviders: providers } = file;
try {
  const server = await createMcpServer({ name: ${JSON.stringify(name)}, version: '0.0.0', services, providers, manifest });
  if (stdio) {
    await stdio.serveStdio(server);
  } else {
    const { serveHttp } = await import('@toolwright/http');
    await serveHttp(server, { port: Number(process.env.PORT) });
  }
} catch (error) {
  failStart(error);
}
`;
}

/**
 * The file that somebody has named.
 *
 * @throws {CommandError} if there is none, or it is not TypeScript
 */
export function fileToRun(named: string, cwd: string): string {
  const file = resolve(cwd, named);
  if (!existsSync(file)) throw usageError(`There is no ${named}.`);
  if (/\.d\.[cm]?ts$|(?<!\.[cm]?ts)$/.test(file))
    throw usageError(
      `${named} is no TypeScript. Types are the schemas of tools, so name a file such as weather.ts.`,
    );
  return file;
}
