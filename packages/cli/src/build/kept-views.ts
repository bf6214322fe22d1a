import { statSync } from 'node:fs';
import type { BuildResult } from '@toolwright/schema-compiler';
import { type ProjectViews, type ViewsPlace, buildProjectViews, describeViews } from './project-views.js';

/** Builds the views of a project again only when a file of them, or a type that they see, has changed. */
export class KeptViews {
  #last: { readonly key: string; readonly views: ProjectViews } | undefined;

  constructor(private readonly place: ViewsPlace) {}

  async build(compiled: Pick<BuildResult, 'manifest' | 'declared'>): Promise<ProjectViews> {
    const described = describeViews(compiled);
    // Without views there is nothing to keep, and nothing of an earlier manifest may stay.
    if (described === '') return buildProjectViews(compiled, this.place);
    const before = this.#last;
    if (before && before.key === keyOf(described, before.views.inputs)) {
      const { extensions } = before.views.manifest;
      return { ...before.views, manifest: { ...compiled.manifest, ...(extensions && { extensions }) } };
    }
    const views = await buildProjectViews(compiled, this.place);
    const isSound = views.diagnostics.every(({ severity }) => severity !== 'error');
    this.#last = isSound ? { key: keyOf(described, views.inputs), views } : undefined;
    return views;
  }
}

function keyOf(described: string, inputs: readonly string[]): string {
  const dates = inputs.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs);
  return `${described} ${dates.join(' ')}`;
}
