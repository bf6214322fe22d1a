export {
  buildManifest,
  inspectProject,
  type BuildOptions,
  type BuildResult,
  type DeclaredOperation,
  type TypeScriptVersions,
} from './build-manifest.js';
export { createWatchCompiler } from './create-watch-compiler.js';
export {
  schemaErrorCatalogue,
  type CatalogueEntry,
  type SchemaErrorCode,
  type Severity,
} from './diagnostics/catalogue.js';
export { formatDiagnostic, type SchemaDiagnostic } from './diagnostics/diagnostic.js';
export type { InspectedEntry } from './emit/inspect-entries.js';
export { explainProject } from './explain-project.js';
export type { ExplainedOperation } from './explain/explain-operation.js';
export type { KeywordOrigin } from './explain/keyword-origin.js';
export { adoptDefaults } from './program/adopt-defaults.js';
export { ProjectError } from './project-error.js';
export type { DeclaredPolicy } from './signature/read-policies.js';
export type { WatchCompiler } from './watch/watch-compiler.js';
