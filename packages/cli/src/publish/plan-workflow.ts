import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { packageManagerOf } from 'create-toolwright';
import { currentText } from '../changes/current-text.js';
import type { FileChange } from '../changes/file-change.js';
import { CommandError, exitCodes } from '../command-error.js';
import { isServerName } from '../lint/directories/server-json/server-faults.js';
import { listOf } from '../lint/directories/server-json/values.js';
import type { Terminal } from '../terminal/terminal.js';
import { serverJsonOf, type Project } from './project.js';
import { managers } from './workflow/job-texts.js';
import { IMAGES_OF_GITHUB, workflowText } from './workflow/workflow-text.js';

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
