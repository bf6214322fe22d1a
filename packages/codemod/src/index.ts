export type { NamedImport } from './edits/insertion.js';
export { mountInExpress, type ExpressMount } from './edits/mount-express.js';
export { registerService, type Registration } from './edits/register-service.js';
export { rewriteDocComment, type SourcePlace } from './edits/rewrite-doc-comment.js';
export { addCompilerOptions, excludeFolder, projectLayout, type ProjectLayout } from './edits/tsconfig.js';
export { migrateProject } from './migrate/migrate-project.js';
export type { MigratedFile, Migration, MigrationCount, MigrationNote } from './migrate/migration.js';
