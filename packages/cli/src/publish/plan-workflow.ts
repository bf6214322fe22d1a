import { packageManagerOf } from 'create-toolwright';
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { type FileChange, currentText } from '../changes/file-change.js';
import { CommandError, type Terminal, exitCodes } from '@toolwright/operate';
import { type Json, listOf } from '../lint/directories/requirement.js';
import { isServerName } from '../lint/directories/server-json/server-faults.js';
import { type Project, serverJsonOf } from './project.js';
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
 * @throws {CommandError} if there is no server.json with a name, or the package manager is another one
 */
export function planWorkflow(project: Project, env: Terminal['env']): { file: FileChange; notes: string[] } {
  const { value } = serverJsonOf(project);
  // The name becomes a part of a command.
  if (!isServerName(value['name']))
    throw new CommandError(
      'The name in server.json is wrong: toolwright publish registry --check',
      exitCodes.usage,
    );
  const manager = packageManagerOf(project.directory, env);
  const commands = managers[manager];
  if (!commands)
    throw new CommandError(
      `The workflow is written for npm and pnpm, and this project uses ${manager}.`,
      exitCodes.usage,
    );
  const root = repositoryOf(project.directory) ?? project.directory;
  const folder = relative(root, project.directory).split(sep).join('/');
  if (!/^[\w./@-]*$/.test(folder))
    throw new CommandError(
      `The folder ${folder} has characters that a workflow must not have.`,
      exitCodes.usage,
    );
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
      after: workflowText({ serverJson: value, manager: commands, ownName: project.name, folder }),
    },
    notes: elsewhere,
  };
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
  return [
    '# Publishes what server.json lists, for each tag such as v1.2.3. Written by: toolwright publish workflow',
    'name: publish',
    'on:',
    '  push:',
    "    tags: ['v*']",
    '# Each job has the rights that it needs, and no others.',
    'permissions: {}',
    'concurrency:',
    '  group: publish',
    '  cancel-in-progress: false',
    'jobs:',
    ...buildJob({ manager, folder, ...has }),
    ...Object.values(jobs).flat(),
    ...registryJob(before.length > 0 ? before : ['build'], domainOf(String(serverJson['name']))),
    '',
  ].join('\n');
}

const withoutTag = (image: string) => image.replace(/:[\w.-]+$/, '');

/** `com.example/notes` belongs to whoever owns example.com. */
function domainOf(name: string): string | undefined {
  const space = name.split('/')[0]!;
  return /^io\.github\./i.test(space) ? undefined : space.split('.').reverse().join('.');
}
