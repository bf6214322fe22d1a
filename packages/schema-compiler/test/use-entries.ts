import { inspectProject, type InspectedEntry } from '../src/index.js';
import { linkPackage } from './link-package.js';
import { TemporaryProject } from './temporary-project.js';

/** What a project with these files has, in their order: it is compiled once, before the tests of the file. */
export function useInspected(
  files: Record<string, string>,
  packages: readonly string[] = [],
): readonly InspectedEntry[] {
  const found: InspectedEntry[] = [];
  let project: TemporaryProject;
  beforeAll(async () => {
    project = new TemporaryProject(files);
    for (const name of packages) linkPackage(project, name);
    found.push(...(await inspectProject({ project: project.project, cache: false })));
  });
  afterAll(() => project.remove());
  return found;
}

/** The same by their names. */
export function useEntries(
  files: Record<string, string>,
  packages?: readonly string[],
): ReadonlyMap<string, InspectedEntry> {
  const entries = new Map<string, InspectedEntry>();
  const found = useInspected(files, packages);
  beforeAll(() => found.forEach((entry) => entries.set(entry.name, entry)));
  return entries;
}
