import { createRequire } from 'node:module';
import { sep } from 'node:path';
import type { ServerOptions } from '@toolwright/core';

/** Classes with decorated methods. */
export type Services = NonNullable<ServerOptions['services']>;

/** What a plug-in's main module exports. */
interface PluginModule {
  services?: Services;
}

const requireHere = createRequire(__filename);

/**
 * Runs the main module of a plug-in's package. It may do all that this process may: plug-ins are code, and the folder
 * is for the operator alone to write in.
 *
 * @throws what the module throws, or an error when it exports no services
 */
export function loadPlugin(directory: string): Services {
  const { services } = requireHere(directory) as PluginModule;
  if (!Array.isArray(services) || services.length === 0) {
    throw new Error(`${directory} exports no array "services" of classes.`);
  }
  return services;
}

/** Lets go of a plug-in's modules, so that its next version is read when it is loaded again. */
export function forgetModules(directory: string): void {
  for (const file of Object.keys(requireHere.cache)) {
    if (file.startsWith(directory + sep)) delete requireHere.cache[file];
  }
}
