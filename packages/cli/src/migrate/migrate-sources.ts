import { dirname } from 'node:path';
import type { Migration } from '@toolwright/codemod';
import { type FileChange, writeChanges } from '../changes/file-change.js';
import { count, usageError } from '@toolwright/operate/terminal';

export interface MigratedSources {
  changes: FileChange[];
  notes: Migration['notes'];
  /** Lines for people: how much was understood, and what comes next. */
  summary: string[];
}

/**
 * Plans the migration of a project, and writes it if asked to.
 *
 * @param project absolute path of the tsconfig
 * @throws {CommandError} if there is nothing to migrate, or a file has changed in the meantime
 * @throws {ProjectError} the tsconfig cannot be read
 */
export async function migrateSources(project: string, write: boolean): Promise<MigratedSources> {
  const { migrateProject } = await import('@toolwright/codemod');
  const { files, notes, counts } = migrateProject(project);
  if (counts.length === 0)
    throw usageError(
      'This project registers nothing with an McpServer of the official SDK. Is it the right --project?',
    );
  if (write) writeChanges(files, dirname(project));
  const parts = counts.map(({ kind, found, converted }) => `${converted} of ${count(found, kind)}`);
  const summary = [`${parts.join(', ')} became methods, in ${count(files.length, 'file')}.`];
  if (files.length > 0) {
    const classes = files.map(({ className }) => className).join(', ');
    summary.push(
      write
        ? `Next: npm install @toolwright/core, list ${classes} in the services of a server, and build with toolwright build.`
        : 'Nothing was written. Pass --write to write this.',
    );
  }
  return { changes: files.map(({ path, before, after }) => ({ path, before, after })), notes, summary };
}
