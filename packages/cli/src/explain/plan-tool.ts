import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Logger, ToolExplanation } from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { CommandError } from '../command-error.js';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Plans the pipeline of a tool as a server with default options would, from the compiled classes. Nothing is built: the
 * services' dependencies are stood in for, since a plan needs none of them.
 *
 * @throws {CommandError} the project has not been built, or its classes cannot be imported
 */
export async function planTool(
  name: string,
  { manifest, project }: { manifest: Manifest; project: string },
): Promise<ToolExplanation | undefined> {
  const { createMcpServer } = await import('@toolwright/core');
  const services = [...new Set(manifest.entries.map((entry) => entry.class))].map((key) =>
    importClass(manifest.classes[key]!, dirname(project)),
  );
  const server = await createMcpServer({
    name: 'explain',
    version: '0',
    services: await Promise.all(services),
    manifest,
    logger: silent,
    resolver: { resolve: () => ({}) },
  });
  try {
    return server.explain(name);
  } finally {
    await server.close(0);
  }
}

type ServiceClass = new (...args: never[]) => object;

async function importClass(
  { name, module }: Manifest['classes'][string],
  root: string,
): Promise<ServiceClass> {
  if (!module)
    throw new CommandError(`The class ${name} is not exported, so no pipeline can be planned for it.`);
  const path = resolve(root, module.path);
  if (!existsSync(path))
    throw new CommandError(`${module.path} is not there: build the project to see the pipeline.`);
  const exports = (await import(path)) as Record<string, unknown>;
  const found = module.export
    .split('.')
    .reduce<unknown>((holder, part) => (holder as Record<string, unknown> | undefined)?.[part], {
      ...(exports['default'] as object),
      ...exports,
    });
  if (typeof found !== 'function')
    throw new CommandError(`${module.path} has no export ${module.export}: build again.`);
  return found as ServiceClass;
}
