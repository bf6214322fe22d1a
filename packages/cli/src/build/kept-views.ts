import { type Compiled, type ProjectViews, type ViewsPlace, buildProjectViews } from './project-views.js';

/** Builds the views of a project again and again: a page when a file of it has changed, and checks types when one of them has. */
export class KeptViews {
  readonly #kept = {};

  constructor(private readonly place: ViewsPlace) {}

  /** @throws {Error} when the signal ends the check of types */
  build(compiled: Compiled, signal?: AbortSignal): Promise<ProjectViews> {
    return buildProjectViews(compiled, { ...this.place, kept: this.#kept, signal });
  }

  /** Builds the pages alone. Nothing checks their types. */
  bundle(compiled: Compiled): Promise<ProjectViews> {
    return buildProjectViews(compiled, { ...this.place, kept: this.#kept, types: false });
  }
}
