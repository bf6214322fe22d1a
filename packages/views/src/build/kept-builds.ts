import type { BundledView } from './bundle-view.js';
import { KeptResult, ResultsOfFiles } from './kept-result.js';
import { ShortLibraries } from './short-libraries.js';
import type { ViewProblem } from './tool-view.js';

/**
 * What is kept from one build of the views of a project to the next. What it has is not a part of the declarations: there are types of
 * Vite in it, which is not always installed.
 */
export class KeptBuilds {
  /** @internal What is wrong with the types of all views. */
  readonly types = new KeptResult<readonly ViewProblem[]>();
  /** @internal */
  readonly libraries = new ShortLibraries();
  readonly #bundles = new ResultsOfFiles<BundledView>();

  /**
   * @internal
   * @param path of the view
   */
  bundle(path: string): KeptResult<BundledView> {
    return this.#bundles.of(path);
  }
}
