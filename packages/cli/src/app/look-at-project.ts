import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Manifest } from '@toolwright/manifest';
import { CommandError } from '@toolwright/operate/terminal';
import type { OpenApiSettings } from '../contract/lock-settings.js';
import type { AppSnapshot, LookQuestion } from './app-snapshot.js';
import { askChild, builtChild } from './ask-child.js';

/** A compiled project. */
export interface CompiledSource {
  manifest: Manifest;
  /** Absolute path of the tsconfig. */
  project: string;
  /** Default true: schemas are published in the form that all clients understand. */
  clientSafe?: boolean;
  /** The specifications whose operations the app adds at run time. */
  openapi?: readonly OpenApiSettings[] | undefined;
  /** Gets a sentence about each part that only the server of the app can show. The rest is shown all the same. */
  needsApp?: ((sentence: string) => void) | undefined;
}

/**
 * Looks at the server with default options that the compiled classes of a project make. They are loaded in a process of
 * their own, and stand-ins replace the dependencies of services, so that no database is opened.
 *
 * @throws {CommandError} if the project has not been built, or its classes cannot be loaded
 * @throws {ConfigurationError} if no server can have them
 */
export async function lookAtProject({
  manifest,
  project,
  clientSafe = true,
  openapi = [],
  needsApp = () => undefined,
}: CompiledSource): Promise<AppSnapshot> {
  const root = dirname(project);
  for (const key of new Set(manifest.entries.map((entry) => entry.class))) {
    const { name, module } = manifest.classes[key]!;
    if (!module) throw new CommandError(`The class ${name} is not exported, so it cannot be loaded.`);
    if (!existsSync(resolve(root, module.path)))
      throw new CommandError(`${module.path} does not exist. Build the project first.`);
  }
  const seen = await ask({ manifest, root, clientSafe, openapi }, root);
  for (const sentence of seen.needsApp ?? []) needsApp(sentence);
  return seen.snapshot;
}

/**
 * Mounts the servers of a configuration file, and looks at the gateway that they make. It serves nobody.
 *
 * @throws {CommandError} when the package is not installed, or the file has problems
 */
export async function lookAtGateway(file: string, cwd: string, accepts: boolean): Promise<AppSnapshot> {
  return (await ask({ config: file, accepts }, cwd)).snapshot;
}

const ask = (question: LookQuestion, cwd: string) =>
  askChild({
    args: [builtChild('look-at-project')],
    cwd,
    question,
    named: 'The code of the project',
    wrote: (text) => void process.stderr.write(text),
  });
