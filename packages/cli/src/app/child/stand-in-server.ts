import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { McpServer } from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { CommandError } from '@toolwright/operate/terminal';
import { silentLogger } from '@toolwright/core/ports';
import type { OpenApiSettings } from '../../contract/lock-settings.js';
import { loadChecks } from '../../load-core.js';

interface StandInSource {
  manifest: Manifest;
  /** Absolute path of the folder of the project. */
  root: string;
  clientSafe: boolean;
  openapi: readonly OpenApiSettings[];
  /** Gets a sentence about each part that only the server of the app can show. */
  needsApp: (sentence: string) => void;
}

/**
 * Creates a server with default options from the compiled classes of a project. It is for inspection, not for
 * calls. Stand-ins replace the dependencies of services, so that no database is opened.
 *
 * @throws {CommandError} if its classes cannot be imported
 */
export async function standInServer({
  manifest,
  root,
  clientSafe,
  openapi,
  needsApp,
}: StandInSource): Promise<McpServer> {
  const { createStandIn } = loadChecks();
  const keys = new Set(manifest.entries.map((entry) => entry.class));
  const services = [...keys].map((key) => importClass(manifest.classes[key]!, root));
  const said = new Set<string>();
  const server = await createStandIn(
    {
      name: 'stand-in',
      version: '0',
      services: [],
      manifest,
      logger: silentLogger,
      // The lock of a project has every pattern, whatever lists show.
      lists: { clientSafe, patterns: 'all' },
      resolver: { resolve: () => ({}) },
    },
    ({ message, lacks }) => {
      const sentence = `${message} Only the app has ${lacks}: to see this part, add --app <file>.`;
      if (!said.has(sentence)) needsApp(sentence);
      // A chain is planned again when packages add guards.
      said.add(sentence);
    },
  );
  server.resourceTemplates.add(anyApp);
  await server.services.add(...(await Promise.all(services)));
  for (const settings of openapi) await addOperations(server, root, settings);
  return server;
}

/** The tools that the app gets from a specification. Nothing is called, so an address is needed only as a form. */
async function addOperations(server: McpServer, root: string, settings: OpenApiSettings): Promise<void> {
  let path: string;
  try {
    path = createRequire(join(root, 'package.json')).resolve('@toolwright/openapi');
  } catch {
    throw new CommandError(
      'toolwright.lock names a specification, and this folder has no @toolwright/openapi.',
    );
  }
  const { openApiTools } = (await load(path)) as {
    openApiTools(server: McpServer, options: object): Promise<string[]>;
  };
  const spec = resolve(root, settings.spec);
  if (!existsSync(spec)) throw new CommandError(`toolwright.lock: there is no ${settings.spec}.`);
  await openApiTools(server, { ...settings, spec, baseUrl: 'https://api.invalid' });
}

/** The template of the stand-in itself. */
export const ANY_APP = 'ui://{+app}';

/** Tools may name apps of other packages, which are not loaded here. */
const anyApp = {
  uriTemplate: ANY_APP,
  name: 'any_app',
  mimeType: 'text/html;profile=mcp-app',
  handler: () => '',
};

type ServiceClass = new (...args: never[]) => object;

/** A module that awaits at its top level can only be imported, and `import()` takes no path of Windows. */
async function load(path: string): Promise<Record<string, unknown>> {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return require(path) as Record<string, unknown>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_REQUIRE_ASYNC_MODULE' && code !== 'ERR_REQUIRE_ESM') throw error;
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  }
}

async function importClass({ module }: Manifest['classes'][string], root: string): Promise<ServiceClass> {
  const { path, export: named } = module!;
  const exports = await load(resolve(root, path));
  const found = named
    .split('.')
    .reduce<unknown>((holder, part) => (holder as Record<string, unknown> | undefined)?.[part], {
      ...(exports['default'] as object),
      ...exports,
    });
  if (typeof found !== 'function') throw new CommandError(`${path} has no export ${named}. Build again.`);
  return found as ServiceClass;
}
