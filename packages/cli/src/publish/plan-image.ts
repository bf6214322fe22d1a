import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  dockerfile,
  folderInWorkspace,
  ignoreFile,
  packageManagerOf,
  registryLabel,
} from 'create-toolwright';
import { type FileChange } from '../changes/file-change.js';
import { packageEntry } from '@toolwright/operate';
import { type Terminal, currentText, usageError } from '@toolwright/operate/terminal';
import { isServerName } from '../lint/directories/server-json/server-problems.js';
import { isObject, listOf, type Json } from '../lint/directories/requirement.js';
import { Missing } from './missing.js';
import { planServerJson } from './plan-registry.js';
import { dependsOn, type PublishedProject } from './project.js';

export interface ImageWords {
  /** The image without its tag, such as `ghcr.io/ann/notes`. */
  readonly image?: string;
  /** The image to start from. */
  readonly base?: string;
}

const PNPM_LOCK = 'pnpm-lock.yaml';
const OVER_HTTP = ['@toolwright/http', '@toolwright/express', '@toolwright/fastify', '@toolwright/nest'];

/**
 * Plans the Dockerfile, .dockerignore, and the image in server.json.
 *
 * @throws {CommandError} that lists everything the image lacks: a right name in server.json, a name of its own, a package
 *   manager that can install in the folder of the project
 */
export function planImage(
  project: PublishedProject,
  words: ImageWords,
  env: Terminal['env'],
): { updates: FileChange[]; files: FileChange[] } {
  const missing = new Missing();
  missing.check(() => checkImage(words.image));
  // An image needs no entry of the registry. With one, it says whose it is, and the entry lists it.
  const value = project.serverJson?.value;
  const name = value?.['name'];
  missing.check(() => checkServerName(value));
  const path = join(project.directory, 'Dockerfile');
  const before = currentText(path);
  const base = words.base ?? /^ARG NODE_IMAGE=(\S+)$/m.exec(before ?? '')?.[1];
  const entry = (packageEntry(project.directory) ?? 'dist/main.js').replace(/^\.\//, '');
  missing.check(() => checkWords(base, entry));
  const folder = folderInWorkspace(project.directory);
  const workspace = folder === undefined ? undefined : { name: project.name, folder };
  const manager = missing.check(() => managerOf(project, env, workspace !== undefined));
  const transport = dependsOn(project, ...OVER_HTTP) ? 'http' : 'stdio';
  const listed =
    value && missing.check(() => planServerJson(project, withImage(value, project, { transport, ...words })));
  missing.report();
  const after = dockerfile({
    transport,
    manager: manager!,
    ...(isServerName(name) && { registryName: name }),
    hasData: hasData(project, before),
    ...(workspace && { workspace }),
    entry,
    ...(base !== undefined && { base }),
  });
  const image = { path, before, after };
  const others = [planIgnored(project.directory, ignoreFile(workspace)), ...(listed ? [listed] : [])];
  // A new app has our text without the label, so only the label changes.
  const isOurs = before !== undefined && withoutOurs(before) === withoutOurs(after);
  return isOurs ? { updates: [image, ...others], files: [] } : { updates: others, files: [image] };
}

function checkServerName(serverJson: Json | undefined): void {
  if (serverJson && !isServerName(serverJson['name']))
    throw usageError('The name in server.json is wrong: toolwright publish registry --check');
}

function checkWords(base: string | undefined, entry: string): void {
  if (base !== undefined && !/^[\w./:@-]+$/.test(base)) throw usageError(`${base} is no name of an image.`);
  if (!/^\w[\w./@-]*$/.test(entry)) throw usageError(`${entry} is no compiled file of this project.`);
}

/** The text without the lines that options and server.json decide. */
function withoutOurs(text: string): string {
  const label = registryLabel('').slice(0, -1);
  return text
    .split('\n')
    .filter(
      (line) => !line.startsWith(label) && !/^(ARG NODE_IMAGE=|# {3}docker buildx imagetools)/.test(line),
    )
    .join('\n');
}

function managerOf(
  { directory }: PublishedProject,
  env: Terminal['env'],
  isInWorkspace: boolean,
): 'npm' | 'pnpm' {
  const manager = packageManagerOf(directory, env);
  if (manager === 'npm') return manager;
  if (manager === 'pnpm' && (isInWorkspace || existsSync(join(directory, PNPM_LOCK)))) return manager;
  throw usageError(
    manager === 'pnpm'
      ? `The lockfile of pnpm is not in ${directory}, and no pnpm-workspace.yaml above it lists packages, so an image of this folder cannot install.`
      : `The Dockerfile is written for npm and pnpm, and this project uses ${manager}.`,
  );
}

const hasData = ({ directory }: PublishedProject, image: string | undefined) =>
  /^\/?\.data\b/m.test(currentText(join(directory, '.gitignore')) ?? '') ||
  (image?.includes('.data') ?? false);

/** Lines of others stay. */
function planIgnored(directory: string, { name, lines: wanted }: ReturnType<typeof ignoreFile>): FileChange {
  const path = join(directory, name);
  const before = currentText(path);
  const lines = (before ?? '').split('\n').map((line) => line.trim().replace(/\/$/, ''));
  const missing = wanted.filter((line) => !lines.includes(line));
  const start =
    before === undefined || before === '' || before.endsWith('\n') ? (before ?? '') : `${before}\n`;
  return { path, before, after: missing.length === 0 ? start : `${start}${missing.join('\n')}\n` };
}

interface Image extends ImageWords {
  transport: 'http' | 'stdio';
}

/** An image that somebody listed stays as it is. */
function withImage(serverJson: Json, project: PublishedProject, { image, transport }: Image): Json {
  const packages = listOf(serverJson['packages']);
  const index = packages.findIndex(({ registryType }) => registryType === 'oci');
  if (index >= 0 && image === undefined) return serverJson;
  const listed = {
    registryType: 'oci',
    identifier: `${image ?? derivedImage(project)}:${project.version}`,
    runtimeHint: 'docker',
    ...(transport === 'http' ? published : { transport: { type: 'stdio' } }),
    ...inputsOf(packages),
  };
  return { ...serverJson, packages: index < 0 ? [...packages, listed] : packages.with(index, listed) };
}

/** The server listens on a port of the container, and the client reaches it on this machine only. */
const published = {
  transport: { type: 'streamable-http', url: 'http://127.0.0.1:3000/mcp' },
  runtimeArguments: [{ type: 'named', name: '--publish', value: '127.0.0.1:3000:3000' }],
};

/** The image needs what the package needs, except for the port. */
function inputsOf([first = {}]: Json[]): Json {
  const variables = listOf(first['environmentVariables']).filter(({ name }) => name !== 'PORT');
  const isProgram = isObject(first['transport']) && first['transport']['type'] === 'stdio';
  const given = isProgram ? listOf(first['packageArguments']) : [];
  return {
    ...(given.length > 0 && { packageArguments: given }),
    ...(variables.length > 0 && { environmentVariables: variables }),
  };
}

function derivedImage({ name, repository }: PublishedProject): string {
  if (repository?.source === 'github')
    return `ghcr.io/${repository.owner}/${name.split('/').at(-1)!}`.toLowerCase();
  throw usageError('Pass --image, such as docker.io/ann/notes: package.json names no repository on GitHub.');
}

const PART = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
/** A repository of an image: an optional host, and parts in small letters (OCI distribution-spec, pulling manifests). */
const REPOSITORY = new RegExp(`^(?:[a-z0-9-]+(?:\\.[a-z0-9-]+)*(?::\\d{1,5})?/)?${PART}(?:/${PART})*$`);
const LONGEST_REPOSITORY = 255;

/** @throws {CommandError} for what no registry would take */
function checkImage(image: string | undefined): void {
  if (image === undefined) return;
  if (image.length <= LONGEST_REPOSITORY && REPOSITORY.test(image)) return;
  const hasTag = /[^/]:[^/]*$|@/.test(image.replace(/^[^/]*:\d+\//, ''));
  const why = hasTag
    ? 'It has a tag or a digest, and the version of package.json is the tag'
    : 'It is no name of an image: small letters, digits, and . _ - between them';
  throw usageError(`--image ${JSON.stringify(image)} is wrong. ${why}. Write it as docker.io/ann/notes.`);
}
