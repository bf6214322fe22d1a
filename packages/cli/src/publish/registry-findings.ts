import { join } from 'node:path';
import type { FileChange } from '../changes/file-change.js';
import { findBreaches } from '../lint/directories/requirement.js';
import { serverJsonRequirements } from '../lint/directories/server-json-requirements.js';
import type { Json } from '../lint/directories/server-json/values.js';
import type { Finding } from '../lint/finding.js';
import { applyRules, readLintConfig } from '../lint/lint-config.js';
import type { Project } from './project.js';

/** What `lint --for registry` would say about the files after these changes. */
export function registryFindings(project: Project, changes: readonly FileChange[]): Finding[] {
  const planned = (name: string) => changes.find(({ path }) => path === join(project.directory, name))?.after;
  const serverText = planned('server.json') ?? project.serverJson?.text;
  const listing = {
    package: JSON.parse(planned('package.json') ?? project.package.text) as Json,
    ...(serverText !== undefined && { serverJson: JSON.parse(serverText) as Json }),
  };
  return applyRules(
    findBreaches(serverJsonRequirements, ['registry'], listing),
    readLintConfig(project.directory),
  );
}
