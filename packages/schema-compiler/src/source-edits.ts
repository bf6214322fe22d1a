import type { NamedImport } from './edits/import-insertion.js';
import type { Mount } from './edits/mount-express.js';
import type { ProjectLayout } from './edits/project-layout.js';
import type { SourcePlace } from './edits/rewrite-doc-comment.js';
import type { Migration } from './migrate/migration.js';
import type { Registration } from './edits/register-service.js';

/**
 * Changes to source files, from text to text. Comments, blanks, quotes and line ends stay as they are.
 * TypeScript is loaded with the first change.
 */
export interface SourceEdits {
  /** @throws {ProjectError} the tsconfig cannot be read */
  projectLayout(configFile: string): ProjectLayout;
  registerService(text: string, service: NamedImport): Registration | undefined;
  mountInExpress(text: string, mount: Mount): { text: string } | 'unclear' | undefined;
  addCompilerOptions(text: string, options: Readonly<Record<string, boolean>>): string | undefined;
  rewriteDocComment(
    text: string,
    place: SourcePlace,
    rewrite: (comment: string) => string,
  ): string | undefined;
  /** @throws {ProjectError} the tsconfig cannot be read */
  migrateProject(configFile: string): Migration;
}

/** Loads the TypeScript compiler and the code that edits sources. */
export async function loadSourceEdits(): Promise<SourceEdits> {
  const [layout, service, express, options, comment, migrate] = await Promise.all([
    import('./edits/project-layout.js'),
    import('./edits/register-service.js'),
    import('./edits/mount-express.js'),
    import('./edits/add-compiler-options.js'),
    import('./edits/rewrite-doc-comment.js'),
    import('./migrate/migrate-project.js'),
  ]);
  return {
    projectLayout: layout.projectLayout,
    registerService: service.registerService,
    mountInExpress: express.mountInExpress,
    addCompilerOptions: options.addCompilerOptions,
    rewriteDocComment: comment.rewriteDocComment,
    migrateProject: migrate.migrateProject,
  };
}
