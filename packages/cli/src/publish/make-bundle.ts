import { makeFolder } from '@toolwright/json';
import { MANIFEST_FILE } from '@toolwright/manifest';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { type FileChange, formatChange, jsonText, offerChanges } from '../changes/file-change.js';
import { checkManifest, findBuild } from '@toolwright/operate';
import { CommandError, type Terminal, exitCodes, usageError } from '@toolwright/operate/terminal';
import { type Json, listOf } from '../lint/directories/requirement.js';
import { authorOf, bundleManifest } from './bundle/bundle-manifest.js';
import { findMcpb, loadMcpb } from './bundle/load-mcpb.js';
import { stageBundle } from './bundle/stage-bundle.js';
import { Missing } from './missing.js';
import { moveTo, planServerJson } from './plan-registry.js';
import { type PublishedProject, dependsOn, serverJsonOf } from './project.js';

/** A bundle that is packed, and not yet in its place. */
export interface PackedBundle {
  manifest: Json;
  bytes: number;
  /** The place for the bundle. */
  path: string;
  /** server.json with the address and the sum of the bundle. */
  serverJson: FileChange;
  keep(): void;
  drop(): void;
}

/** The pages of views, which `toolwright build` writes beside the manifest. */
const VIEWS_FILE = 'mcp.views.json';

/**
 * Packs the built project with its production dependencies.
 *
 * @param out the folder for the bundle
 * @throws {CommandError} that lists everything the bundle lacks, such as a build or @toolwright/stdio; or if the manifest
 *   is wrong
 */
export async function makeBundle(project: PublishedProject, out: string): Promise<PackedBundle> {
  const { entry, value, bundler } = needsOf(project);
  const { packExtension } = await loadMcpb(bundler);
  const file = relative(project.directory, entry).split(sep).join('/');
  const manifest = bundleManifest(project, value, file);
  const built = [MANIFEST_FILE, VIEWS_FILE].filter((each) => existsSync(join(project.directory, each)));
  const needed = [file, ...built];
  const name = `${String(manifest['name'])}-${project.version}.mcpb`;
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-bundle-'));
  const drop = () => rmSync(folder, { recursive: true, force: true });
  try {
    const stage = join(folder, 'stage');
    const packed = join(folder, name);
    mkdirSync(stage);
    stageBundle({ project: project.directory, manifest, needed }, stage);
    if (!(await packExtension({ extensionPath: stage, outputPath: packed, silent: true })))
      throw new CommandError('The bundle cannot be packed: its manifest is wrong, or a file cannot be read.');
    const content = readFileSync(packed);
    const sum = createHash('sha256').update(content).digest('hex');
    const path = join(resolve(project.directory, out), name);
    const serverJson = planServerJson(project, withBundle(value, project, { name, sum }));
    return { manifest, bytes: content.length, path, serverJson, keep: () => keep(packed, path), drop };
  } catch (error) {
    drop();
    throw error;
  }
}

function needsOf(project: PublishedProject): { entry: string; value: Json; bundler: string } {
  const missing = new Missing();
  const serverJson = missing.check(() => serverJsonOf(project));
  missing.check(() => checkTransport(project));
  missing.check(() => authorOf(project.package.value['author']));
  const entry = missing.check(() => builtEntry(project.directory));
  const bundler = missing.check(() => findMcpb([project.package.path, __filename]));
  missing.report();
  return { entry: entry!, value: serverJson!.value, bundler: bundler! };
}

function checkTransport(project: PublishedProject): void {
  if (dependsOn(project, '@toolwright/stdio')) return;
  throw usageError(
    'A host starts a bundle over stdio, and this project does not depend on @toolwright/stdio.',
  );
}

function builtEntry(directory: string): string {
  const entry = findBuild(undefined, directory);
  checkManifest(entry, directory);
  return entry;
}

function keep(packed: string, path: string): void {
  makeFolder(resolve(path, '..'));
  // Another disk may be meant, so the file is copied first. Readers see the old bundle or the new one.
  copyFileSync(packed, `${path}.tmp`);
  renameSync(`${path}.tmp`, path);
}

/** The registry takes bundles from releases of GitHub and GitLab. An address that somebody wrote stays. */
function withBundle(
  serverJson: Json,
  { repository, version }: PublishedProject,
  { name, sum }: { name: string; sum: string },
): Json {
  if (!repository) return serverJson;
  const release =
    repository.source === 'github' ? `releases/download/v${version}` : `-/releases/v${version}/downloads`;
  const identifier = `${repository.url}/${release}/${name}`;
  const packages = listOf(serverJson['packages']);
  const index = packages.findIndex(({ registryType }) => registryType === 'mcpb');
  const described =
    index < 0
      ? { registryType: 'mcpb', identifier, transport: { type: 'stdio' } }
      : moveTo(version, packages[index]!, serverJson);
  const listed = { ...described, fileSha256: sum };
  return { ...serverJson, packages: index < 0 ? [...packages, listed] : packages.with(index, listed) };
}

export interface BundleChoice {
  project: string;
  dryRun: true | undefined;
  yes: true | undefined;
}

/** Shows the manifest of a bundle and the change of server.json, asks, and puts both in their place. */
export async function offerBundle(
  { manifest, bytes, path, serverJson, keep }: PackedBundle,
  { project, dryRun, yes }: BundleChoice,
  terminal: Terminal,
): Promise<number> {
  const name = relative(terminal.cwd, path).split(sep).join('/');
  terminal.out(`${name}, ${(bytes / 1e6).toFixed(1)} MB, with this manifest.json:\n${jsonText(manifest)}`);
  const isChanged = serverJson.before !== serverJson.after;
  if (dryRun) {
    if (isChanged) terminal.out(formatChange(serverJson, terminal).join('\n'));
    return exitCodes.ok;
  }
  if (isChanged) {
    const code = await offerChanges(
      { changes: [serverJson], notes: [], project, yes: yes ?? false },
      terminal,
    );
    if (code !== exitCodes.ok) return code;
  } else if (!(await isAgreed(name, yes, terminal))) {
    terminal.err('Nothing was written.');
    return exitCodes.failed;
  }
  keep();
  terminal.err(`${name} was written.`);
  return exitCodes.ok;
}

async function isAgreed(name: string, yes: true | undefined, terminal: Terminal): Promise<boolean> {
  if (yes) return true;
  if (!terminal.ask)
    throw new CommandError(
      'Nothing was written, because the command cannot ask without a terminal. Pass --yes.',
    );
  return /^y(es)?$/i.test((await terminal.ask(`Write ${name}? [y/N] `)).trim());
}
