export { rootedPath, rootedPaths, type RootedPath, type RootedPathOptions } from './path/rooted-path.js';
export type { FolderEntry } from './path/folders.js';
export type { OpenMode } from './path/held-folder.js';
export { safeFetch, type SafeFetchOptions, type SafeResponse } from './fetch/safe-fetch.js';
export type { UrlRules } from './fetch/check-url.js';
export type { ResolvedAddress, Resolver } from './fetch/address-policy.js';
export {
  runCommand,
  type AllowedCommand,
  type CommandResult,
  type RunCommandOptions,
} from './command/run-command.js';
export { safeErrorCatalogue, type SafeErrorCode } from './errors/refusal.js';
