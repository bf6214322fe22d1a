import { packageManagerOf } from 'create-toolwright';
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { type FileChange } from '../changes/file-change.js';
import { type Terminal, currentText, usageError } from '@toolwright/operate/terminal';
import { type Json, listOf } from '../lint/directories/requirement.js';
import { isServerName } from '../lint/directories/server-json/server-problems.js';
import { Missing } from './missing.js';
import { type PublishedProject, serverJsonOf } from './project.js';
import {
  type ManagerCommands,
  buildJob,
  imageJob,
  managers,
  npmJob,
  registryJob,
  releaseJob,
} from './workflow/job-texts.js';

/**
 * Plans the workflow that publishes what server.json lists.
 *
 * @throws {CommandError} that lists everything the workflow lacks: a server.json with a name, a package manager that it
 *   knows, a folder that it can name
 */
export function planWorkflow(
  project: PublishedProject,
  env: Terminal['env'],
): { file: FileChange; notes: string[] } {
  const root = repositoryOf(project.directory) ?? project.directory;
  const missing = new Missing();
  const serverJson = missing.check(() => namedServerJson(project));
  const manager = missing.check(() => managerOf(project.directory, env));
  const folder = missing.check(() => folderIn(root, project.directory));
  missing.report();
  const value = serverJson!;
  const path = join(root, '.github/workflows/publish-mcp.yml');
  const elsewhere = listOf(value['packages'])
    .filter(
      ({ registryType, identifier }) => registryType === 'oci' && !IMAGES_OF_GITHUB.test(String(identifier)),
    )
    .map(
      ({ identifier }) =>
        `The workflow pushes images to ghcr.io only. Push ${String(identifier)} before its tag.`,
    );
  return {
    file: {
      path,
      before: currentText(path),
      after: workflowText({ serverJson: value, manager: manager!, ownName: project.name, folder: folder! }),
    },
    notes: elsewhere,
  };
}

/** The name becomes a part of a command. */
function namedServerJson(project: PublishedProject): Json {
  const { value } = serverJsonOf(project);
  if (isServerName(value['name'])) return value;
  throw usageError('The name in server.json is wrong: toolwright publish registry --check');
}

function managerOf(directory: string, env: Terminal['env']): ManagerCommands {
  const manager = packageManagerOf(directory, env);
  const commands = managers[manager];
  if (commands) return commands;
  throw usageError(`The workflow is written for npm and pnpm, and this project uses ${manager}.`);
}

function folderIn(root: string, directory: string): string {
  const folder = relative(root, directory).split(sep).join('/');
  if (/^[\w./@-]*$/.test(folder)) return folder;
  throw usageError(`The folder ${folder} has characters that a workflow must not have.`);
}

/** GitHub reads workflows from the root of a repository only. */
function repositoryOf(directory: string): string | undefined {
  if (existsSync(join(directory, '.git'))) return directory;
  return dirname(directory) === directory ? undefined : repositoryOf(dirname(directory));
}

/** The images that the workflow can push without a stored password. */
const IMAGES_OF_GITHUB = /^ghcr\.io\/[\w./-]+(:[\w.-]+)?$/;

interface WorkflowFacts {
  serverJson: Json;
  manager: ManagerCommands;
  /** The name of the package. */
  ownName: string;
  /** The folder of the project in its repository; empty for the root. */
  folder: string;
}

/** A workflow that publishes what server.json lists. */
function workflowText({ serverJson, manager, ownName, folder }: WorkflowFacts): string {
  const packages = listOf(serverJson['packages']);
  const ofType = (type: string) => packages.filter(({ registryType }) => registryType === type);
  const has = {
    npm: ofType('npm').some(({ identifier }) => identifier === ownName),
    bundle: ofType('mcpb').length > 0,
  };
  const image = ofType('oci')
    .map(({ identifier }) => String(identifier))
    .find((name) => IMAGES_OF_GITHUB.test(name));
  const jobs = {
    ...(has.npm && { npm: npmJob() }),
    ...(has.bundle && { release: releaseJob() }),
    ...(image !== undefined && { image: imageJob(withoutTag(image), folder) }),
  };
  const before = Object.keys(jobs);
  return `# Publishes what server.json lists, for each tag such as v1.2.3. Written by: toolwright publish workflow
name: publish
on:
  push:
    tags: ['v*']
# Each job has the rights that it needs, and no others.
permissions: {}
concurrency:
  group: publish
  cancel-in-progress: false
jobs:
${[
  buildJob({ manager, folder, ...has }),
  ...Object.values(jobs),
  registryJob(before.length > 0 ? before : ['build'], domainOf(String(serverJson['name']))),
].join('\n')}
`;
}

const withoutTag = (image: string) => image.replace(/:[\w.-]+$/, '');

/** `com.example/notes` belongs to whoever owns example.com. */
function domainOf(name: string): string | undefined {
  const space = name.split('/')[0]!;
  return /^io\.github\./i.test(space) ? undefined : space.split('.').reverse().join('.');
}
