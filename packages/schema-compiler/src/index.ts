export {
  buildManifest,
  inspectProject,
  type BuildOptions,
  type BuildResult,
  type DeclaredOperation,
  type TypeScriptVersions,
} from './build-manifest.js';
export { createWatchCompiler } from './load-on-demand.js';
export {
  schemaErrorCatalogue,
  type DiagnosticEntry,
  type SchemaErrorCode,
  type Severity,
} from './diagnostics/catalogue.js';
export { formatDiagnostic, type SchemaDiagnostic } from './diagnostics/diagnostic.js';
export { lockFields } from './emit/build-steps.js';
export type { InspectedEntry } from './emit/inspect-entries.js';
export { explainProject } from './load-on-demand.js';
export type { ExplainedOperation } from './explain/explain-operation.js';
export type { KeywordOrigin } from './explain/origin-finder.js';
export { compilerPath } from './program/compiler-path.js';
export { adoptDefaults } from './program/own-typescript.js';
export { extendedConfigs, findTorn } from './program/torn-config.js';
export { ProjectError } from './diagnostics/diagnostic.js';
export type { DeclaredPolicy } from './signature/read-declared.js';
export type { WatchCompiler } from './watch/watch-compiler.js';
