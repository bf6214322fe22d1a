import type { FileChange } from '../changes/file-change.js';
import { jsonText } from '../changes/json-text.js';

/** The parts of a `package.json` that are used here. */
export interface PackageJson {
  name?: string;
  version?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/**
 * Adds our packages, and adds the manifest to the build.
 *
 * @param version of our packages
 */
export function planPackageJson(file: { path: string; text: string }, version: string): FileChange {
  const written = JSON.parse(file.text) as PackageJson;
  const added = (present: Record<string, string> | undefined, names: string[]) => {
    const missing = names.filter((name) => !written.dependencies?.[name] && !written.devDependencies?.[name]);
    const all = { ...present, ...Object.fromEntries(missing.map((name) => [name, version])) };
    return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const build = written.scripts?.['build'];
  const scripts = { ...written.scripts, ...buildScript(build) };
  const after = {
    ...written,
    scripts,
    dependencies: added(written.dependencies, ['@toolwright/core', '@toolwright/express']),
    devDependencies: added(written.devDependencies, ['@toolwright/cli']),
  };
  return { path: file.path, before: file.text, after: jsonText(after, file.text) };
}

/** The manifest is built after `tsc`. Other kinds of builds get a separate script. */
function buildScript(build: string | undefined): Record<string, string> {
  if (build?.includes('toolwright build')) return {};
  if (build === undefined || !/\btsc\b/.test(build)) return { 'build:mcp': 'toolwright build' };
  const project = /\btsc\b[^&|;]*?\s(?:-p|--project|-b|--build)\s+([\w./-]+\.json)/.exec(build)?.[1];
  return { build: `${build} && toolwright build${project === undefined ? '' : ` --project ${project}`}` };
}
