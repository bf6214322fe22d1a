export { rootedPath, rootedPaths, type RootedPath, type RootedPathOptions } from './path/rooted-path.js';
export type { FolderEntry } from './path/list-folder.js';
export type { OpenMode } from './path/open-file.js';
export { safeFetch, type SafeFetchOptions, type SafeResponse } from './fetch/safe-fetch.js';
export type { UrlRules } from './fetch/check-url.js';
export type { ResolvedAddress, Resolver } from './fetch/pin-address.js';
export {
  runCommand,
  type AllowedCommand,
  type CommandResult,
  type RunCommandOptions,
} from './command/run-command.js';
export { safeErrorCatalogue, type SafeErrorCode } from './errors/catalogue.js';
