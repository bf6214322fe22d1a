export { buildManifest, inspectProject, type BuildOptions, type BuildResult } from './build-manifest.js';
export {
  schemaErrorCatalogue,
  type CatalogueEntry,
  type SchemaErrorCode,
  type Severity,
} from './diagnostics/catalogue.js';
export { formatDiagnostic, type SchemaDiagnostic } from './diagnostics/diagnostic.js';
export type { InspectedEntry } from './emit/inspect-entries.js';
