import { listOf, type Json } from '../../lint/directories/server-json/values.js';
import { buildJob, imageJob, npmJob, registryJob, releaseJob, type ManagerCommands } from './job-texts.js';

/** The images that the workflow can push without a stored password. */
export const IMAGES_OF_GITHUB = /^ghcr\.io\/[\w./-]+(:[\w.-]+)?$/;

export interface WorkflowFacts {
  serverJson: Json;
  manager: ManagerCommands;
  /** The name of the package. */
  ownName: string;
  /** The folder of the project in its repository; empty for the root. */
  folder: string;
}

/** A workflow that publishes what server.json lists. */
export function workflowText({ serverJson, manager, ownName, folder }: WorkflowFacts): string {
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
