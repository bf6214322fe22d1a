// What a package is written against that adds something to servers. docs/extending.md shows one.
import { Extensions } from './boot/extensions/extensions.js';
import type * as extension from './boot/extensions/extension.js';
import type { McpServer } from './server.js';

export type { BuildStep, BuiltProject } from '@toolwright/manifest';
export type {
  ExtraContext,
  ExtraServerOptions,
  ExtraServiceOptions,
  ExtraToolOptions,
} from './base/extended.js';
export type {
  ExtensionCapability,
  ExtensionGuard,
  ExtensionLists,
  ExtensionMethod,
  ExtensionParts,
  ManifestField,
  PlannedExtensionGuard,
  ReplaceList,
} from './boot/extensions/extension.js';

/** What a package adds to servers. See docs/extending.md. */
export type Extension<Parts extends extension.ExtensionParts = extension.ExtensionParts> =
  extension.Extension<McpServer, Parts>;

/** The server, as a package sees it. */
export type ExtensionHost = extension.ExtensionHost<McpServer>;

/**
 * Starts an extension in a running server. For packages that are used by a call of a function, such as
 * `mountServer(server, …)`. The first call starts it; each further one gets the same parts.
 *
 * @returns what `start` returned
 * @throws {ConfigurationError} when something that it adds is there already
 */
export function extend<Parts extends extension.ExtensionParts>(
  server: McpServer,
  added: Extension<Parts>,
): Promise<Parts> {
  return Extensions.of(server).start(added as extension.Extension<never, Parts>);
}
