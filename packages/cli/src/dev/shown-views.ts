import { existsSync, realpathSync } from 'node:fs';
import type { Manifest } from '@toolwright/manifest';
import { describePages } from '../build/project-views.js';
import type { DevApp } from './app/dev-app.js';
import type { DevCompiler } from './compile/dev-compiler.js';
import type { BuiltPages } from './compile/schemas-worker.js';

/** The pages of views that the app serves. */
export class ShownViews {
  private texts: BuiltPages['texts'] = {};
  private inputs: ReadonlySet<string> = new Set();
  /** Whether the app serves pages that are newer than its manifest, because nobody has checked their types yet. */
  private areAhead = false;

  constructor(
    private readonly compiler: Pick<DevCompiler, 'bundleViews'>,
    private readonly app: Pick<DevApp, 'show'>,
  ) {}

  /**
   * Shows new pages if nothing but views was edited. Everything else of the app stays as it is.
   *
   * @param running the manifest of the app
   * @returns the names of the pages that are others now; undefined if more than pages has changed, a page cannot be made, or
   *   the app cannot show one
   */
  async show(files: readonly string[], running: Manifest): Promise<string[] | undefined> {
    if (files.length === 0 || !files.every((file) => this.isInput(file))) return undefined;
    const bundled = await this.compiler.bundleViews(files);
    if (!bundled || bundled.problems.some(({ severity }) => severity === 'error')) return undefined;
    if (describePages(bundled) !== describePages(running)) return undefined;
    const changed = this.changedIn(bundled.pages);
    if (!(await this.send(changed))) return undefined;
    this.know(bundled.pages);
    this.areAhead = true;
    return Object.keys(changed);
  }

  /**
   * Call this when the app runs with the manifest of these pages.
   *
   * @returns the names of the pages that are shown only now: a file was saved after they were bundled and before their check
   */
  async settle(pages: BuiltPages): Promise<string[]> {
    // A class that was not replaced goes on with a page that was shown before its check.
    const changed = this.areAhead ? this.changedIn(pages) : {};
    this.areAhead = false;
    this.know(pages);
    return (await this.send(changed)) ? Object.keys(changed) : [];
  }

  /** The bundler follows links, and the watcher does not. */
  private isInput(file: string): boolean {
    return this.inputs.has(file) || (existsSync(file) && this.inputs.has(realpathSync(file)));
  }

  private know({ texts, inputs }: BuiltPages): void {
    this.texts = texts;
    this.inputs = new Set(inputs);
  }

  private changedIn({ texts }: BuiltPages): Record<string, string> {
    return Object.fromEntries(Object.entries(texts).filter(([name, text]) => this.texts[name] !== text));
  }

  private async send(pages: Record<string, string>): Promise<boolean> {
    return Object.keys(pages).length === 0 || (await this.app.show(pages));
  }
}
