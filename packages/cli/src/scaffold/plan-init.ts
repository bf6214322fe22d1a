import type { ProjectLayout } from '@toolwright/codemod';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type FileChange, jsonText } from '../changes/file-change.js';
import { CommandError, readJsonFile, currentText, usageError } from '@toolwright/operate/terminal';

export interface InitRequest {
  /** Absolute path of the tsconfig. */
  project: string;
  /** Absolute path of the file that creates the app. By default the command searches for it. */
  app: string | undefined;
  /** The path of the endpoint in the app. */
  path: string;
}

/** The files to write, and what is left to do by hand. */
export interface PlannedInit {
  changes: FileChange[];
  notes: string[];
}

/**
 * Plans what an Express app needs to serve MCP: a first service, the endpoint, the line that mounts it,
 * compiler options and dependencies.
 *
 * @throws {CommandError} if this does not work for the project; the message says why
 */
export async function planInit({ project, app, path }: InitRequest): Promise<PlannedInit> {
  const root = dirname(project);
  const { text, manifest } = readPackage(root);
  if (currentText(project) === undefined) throw new CommandError(noTypeScript(project));
  const edits = await import('@toolwright/codemod');
  const { mountFiles, ownVersion } = await import('create-toolwright');
  const layout = edits.projectLayout(project);
  const place = placeOf(layout, edits, app);
  const { name = 'app', version = '0.0.0' } = manifest;
  const files = mountFiles({ name, version }, { importEnding: layout.importEnding });
  const services = [...files].map(([file, after]) => newFile(join(place.folder, 'mcp', file), after));
  const mount = planMount({ ...place, path, layout, edits });
  const options = planOptions(project, layout, edits);
  const packageJson = planPackageJson({ path: join(root, 'package.json'), text }, ownVersion());
  return {
    changes: [...mount.changes, ...services, ...options.changes, packageJson],
    notes: [...mount.notes, ...options.notes],
  };
}

function readPackage(root: string): { text: string; manifest: PackageJson } {
  const found = readJsonFile<PackageJson>(join(root, 'package.json'));
  if (!found) throw usageError(`There is no package.json in ${root}.`);
  const { text, value: manifest } = found;
  if (manifest.dependencies?.['express'] || manifest.devDependencies?.['express']) return { text, manifest };
  throw new CommandError(
    'This project does not depend on Express. To make a server of its own: npm create toolwright@latest',
  );
}

const noTypeScript = (project: string) =>
  `There is no ${project}. Toolwright makes schemas from the types of your methods, so the project has to be TypeScript. ` +
  'A JavaScript app can still have an MCP server beside it, as a project of its own: npm create toolwright@latest';

interface Place {
  /** The file that creates the app, if one was found. */
  file: { path: string; text: string } | undefined;
  /** The folder for new files. */
  folder: string;
}

function placeOf(
  { root, files }: ProjectLayout,
  edits: typeof import('@toolwright/codemod'),
  app: string | undefined,
): Place {
  const handler = { name: 'mcpEndpoint', from: './mcp' };
  const candidates = (app === undefined ? files.filter(isSource) : [app])
    .map((path) => ({ path, text: currentText(path) ?? '' }))
    .filter(
      ({ text }) => app !== undefined || edits.mountInExpress(text, { path: '/mcp', handler }) !== undefined,
    );
  if (candidates.length > 1) {
    const names = candidates.map(({ path }) => relative(root, path)).join(', ');
    throw usageError(`Several files make an Express app: ${names}. Name one with --app.`);
  }
  const [file] = candidates;
  const source = files.every((name) => name.startsWith(join(root, 'src') + sep)) ? join(root, 'src') : root;
  return { file, folder: file ? dirname(file.path) : source };
}

const isSource = (path: string) => /\.[cm]?ts$/.test(path) && !/\.(test|spec)\.[cm]?ts$/.test(path);

interface MountRequest extends Place {
  path: string;
  layout: ProjectLayout;
  edits: typeof import('@toolwright/codemod');
}

function planMount({ file, folder, path, layout, edits }: MountRequest): PlannedInit {
  const handler = { name: 'mcpEndpoint', from: `./mcp/mcp-endpoint${layout.importEnding}` };
  const mounted = file && edits.mountInExpress(file.text, { path, handler });
  if (file && typeof mounted === 'object')
    return {
      changes: [{ path: file.path, before: file.text, after: mounted.text }],
      notes:
        mounted.afterBodies.length > 0
          ? [bodiesNote(mounted.afterBodies, relative(layout.root, file.path))]
          : [],
    };
  const where = file ? relative(layout.root, file.path) : 'the file that makes your Express app';
  return {
    changes: [],
    notes: [
      `How ${where} makes its app was not understood. Add there, before its routes:\n` +
        `  import { mcpEndpoint } from '${handler.from}';   (the file is in ${relative(layout.root, folder) || '.'}/mcp)\n` +
        `  app.use('${path}', mcpEndpoint);`,
    ],
  };
}

/** Between them and the endpoint may be a check of access, which must run first. */
const bodiesNote = (statements: readonly string[], file: string) =>
  `In ${file}, the endpoint comes after ${statements.join(' ')} A body parser sets its own limit for calls (100 KB in Express), and a check of forms, such as csurf, refuses them. ` +
  'If what is between them and the endpoint does not need the body, move them below the line of the endpoint.';

/**
 * Decorators of parameters need the option. Emitted types (`emitDecoratorMetadata`) are not needed, and would break
 * apps that compile each file alone.
 */
function planOptions(
  project: string,
  { decorators }: ProjectLayout,
  edits: typeof import('@toolwright/codemod'),
): PlannedInit {
  if (decorators) return { changes: [], notes: [] };
  const before = currentText(project)!;
  const isWritten = /^\s*"experimentalDecorators"/m.test(before);
  const after = isWritten ? undefined : edits.addCompilerOptions(before, { experimentalDecorators: true });
  if (after !== undefined) return { changes: [{ path: project, before, after }], notes: [] };
  return {
    changes: [],
    notes: [`Set "experimentalDecorators" to true in the compilerOptions of ${project}.`],
  };
}

function newFile(path: string, after: string): FileChange {
  if (currentText(path) !== undefined)
    throw usageError(`${path} already exists, so this app has an MCP endpoint.`);
  return { path: resolve(path), before: undefined, after };
}

/** The parts of a `package.json` that are used here. */
interface PackageJson {
  name?: string;
  version?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Adds our packages, and adds the manifest to the build.
 *
 * @param version of our packages
 */
function planPackageJson(file: { path: string; text: string }, version: string): FileChange {
  const written = JSON.parse(file.text) as PackageJson;
  const added = (present: Record<string, string> | undefined, names: string[]) => {
    const missing = names.filter((name) => !written.dependencies?.[name] && !written.devDependencies?.[name]);
    const all = { ...present, ...Object.fromEntries(missing.map((name) => [name, version])) };
    return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const build = written.scripts?.['build'];
  const scripts = { ...written.scripts, ...buildScript(build) };
  const after = {
    ...written,
    scripts,
    dependencies: added(written.dependencies, ['@toolwright/core', '@toolwright/express']),
    devDependencies: added(written.devDependencies, ['@toolwright/cli']),
  };
  return { path: file.path, before: file.text, after: jsonText(after, file.text) };
}

/** The manifest is built after `tsc`. Other kinds of builds get a separate script. */
function buildScript(build: string | undefined): Record<string, string> {
  if (build?.includes('toolwright build')) return {};
  if (build === undefined || !/\btsc\b/.test(build)) return { 'build:mcp': 'toolwright build' };
  const project = /\btsc\b[^&|;]*?\s(?:-p|--project|-b|--build)\s+([\w./-]+\.json)/.exec(build)?.[1];
  return { build: `${build} && toolwright build${project === undefined ? '' : ` --project ${project}`}` };
}
