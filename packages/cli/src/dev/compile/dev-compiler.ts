import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Manifest } from '@toolwright/manifest';
import { CommandError } from '@toolwright/operate/terminal';
import type { BuildDiagnostic } from '../../build/boot-diagnostics.js';
import type { CompileProblem } from '../problem.js';
import type { BuiltPages, Numbered, SchemasAnswer, SchemasRequest } from './schemas-worker.js';
import type { TypesAnswer, TypesRequest } from './types-worker.js';

export type Checked = Extract<TypesAnswer, { tell: 'checked' }>;

export interface SchemasResult {
  manifest: Manifest;
  problems: CompileProblem[];
  /** Those of `problems` that are about views. */
  ofViews: CompileProblem[];
  /** Files that belong to the manifest: text by absolute path. */
  files: readonly (readonly [path: string, text: string])[];
  pages: BuiltPages;
}

/** Pages whose types nobody has checked. */
export interface BundledPages {
  readonly pages: BuiltPages;
  /** What the manifest says with these pages. */
  readonly extensions: Manifest['extensions'];
  readonly problems: readonly CompileProblem[];
}

/** The parts of a compilation. Without schemas, the problems of `checked` say why, such as a tsconfig that is not JSON. */
export type DevCompiled =
  { schemas: SchemasResult; checked?: Checked } | { schemas?: undefined; checked: Checked };

type Compiled = Extract<SchemasAnswer, { tell: 'compiled' }>;

/**
 * Compiles types and schemas at the same time, each in its own thread. The main thread stays free to forward
 * requests. The slower of the two decides how long an edit takes.
 */
export class DevCompiler {
  private readonly types: Worker;
  private readonly schemas: Worker;
  private questions = 0;
  private readonly waiting = new Map<number, (answer: SchemasAnswer) => void>();

  /** @param entry absolute path of the file that starts the app: a source or a compiled file */
  constructor(
    private readonly project: string,
    entry: string,
  ) {
    this.types = new Worker(join(__dirname, 'types-worker.js'), { workerData: { project, entry } });
    this.schemas = new Worker(join(__dirname, 'schemas-worker.js'), { workerData: { project } });
    this.schemas.on('message', ({ number, ...answer }: Numbered<SchemasAnswer>) => {
      this.waiting.get(number)?.(answer as SchemasAnswer);
      this.waiting.delete(number);
    });
  }

  /**
   * Compiles the schemas, and the types beside them. If only comments were edited, types are left for
   * `check`. The code that runs is the same, and models should get the new text quickly.
   *
   * @throws when the tsconfig cannot be read
   */
  async compile(files: readonly string[]): Promise<DevCompiled> {
    // Waits for both answers, so that the next question does not get an answer to this one.
    const [types, schemas] = await Promise.allSettled([this.editAndCheck(files), this.compileSchemas(files)]);
    if (types.status === 'rejected') throw types.reason;
    const checked = types.value;
    if (schemas.status === 'fulfilled') return { schemas: schemas.value, ...(checked && { checked }) };
    if (checked?.problems.some(({ severity }) => severity === 'error')) return { checked };
    throw schemas.reason;
  }

  /** Checks types, and compiles modules. */
  check(): Promise<Checked> {
    return this.askTypes({ ask: 'check' }) as Promise<Checked>;
  }

  private async editAndCheck(files: readonly string[]): Promise<Checked | undefined> {
    const edited = await this.askTypes({ ask: 'edit', files });
    return edited.tell === 'edited' && edited.onlyWords ? undefined : this.check();
  }

  private async askTypes(request: TypesRequest): Promise<TypesAnswer> {
    const answered = new Promise<TypesAnswer>((resolve) => this.types.once('message', resolve));
    this.types.postMessage(request);
    const answer = await answered;
    if (answer.tell === 'failed') throw new CommandError(answer.message);
    return answer;
  }

  private async compileSchemas(files: readonly string[]): Promise<SchemasResult> {
    return this.resultOf((await this.askSchemas({ ask: 'compile', files })) as Compiled);
  }

  /**
   * Makes the pages of views, after an edit of their files alone. It ends a check that runs.
   *
   * @returns undefined if one of the files is also a part of the server
   */
  async bundleViews(files: readonly string[]): Promise<BundledPages | undefined> {
    const [types, answer] = await Promise.all([
      this.askTypes({ ask: 'knows', files }),
      this.askSchemas({ ask: 'bundle' }),
    ]);
    if (types.tell !== 'knows' || types.any) return undefined;
    const { pages, extensions, diagnostics } = answer as Extract<SchemasAnswer, { tell: 'bundled' }>;
    return { pages, extensions, problems: diagnostics.map((each) => this.problemOf(each)) };
  }

  /** Checks the types of the pages that were made last. @returns undefined if the next question has ended the check */
  async checkViews(): Promise<SchemasResult | undefined> {
    const answer = await this.askSchemas({ ask: 'checkViews' });
    return answer.tell === 'ended' ? undefined : this.resultOf(answer as Compiled);
  }

  private async askSchemas(request: SchemasRequest): Promise<SchemasAnswer> {
    const number = ++this.questions;
    const answered = new Promise<SchemasAnswer>((resolve) => this.waiting.set(number, resolve));
    this.schemas.postMessage({ ...request, number } satisfies Numbered<SchemasRequest>);
    const answer = await answered;
    if (answer.tell === 'failed') throw new CommandError(answer.message);
    return answer;
  }

  private resultOf({ manifest, diagnostics, ofViews, files, pages }: Compiled): SchemasResult {
    const describe = (each: BuildDiagnostic) => this.problemOf(each);
    return { manifest, files, pages, problems: diagnostics.map(describe), ofViews: ofViews.map(describe) };
  }

  private problemOf(diagnostic: BuildDiagnostic): CompileProblem {
    return { ...diagnostic, file: resolve(dirname(this.project), diagnostic.file) };
  }

  /** Call this when the app runs the last compilation. Later plans start from there. */
  takenOver(): void {
    this.types.postMessage({ ask: 'takenOver' } satisfies TypesRequest);
  }

  async close(): Promise<void> {
    await Promise.all([this.types.terminate(), this.schemas.terminate()]);
  }
}
