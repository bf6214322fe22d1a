import { dirname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Manifest } from '@toolwright/manifest';
import { CommandError } from '@toolwright/operate/terminal';
import type { CompileProblem } from '../problem.js';
import type { SchemasAnswer, SchemasRequest } from './schemas-worker.js';
import type { TypesAnswer, TypesRequest } from './types-worker.js';

export type Checked = Extract<TypesAnswer, { tell: 'checked' }>;

export interface SchemasResult {
  manifest: Manifest;
  problems: CompileProblem[];
  /** Files that belong to the manifest: text by absolute path. */
  files: readonly (readonly [path: string, text: string])[];
}

/**
 * Compiles types and schemas at the same time, each in its own thread. The main thread stays free to forward
 * requests. The slower of the two decides how long an edit takes.
 */
export class DevCompiler {
  private readonly types: Worker;
  private readonly schemas: Worker;

  /** @param entry absolute path of the file that starts the app: a source or a compiled file */
  constructor(
    private readonly project: string,
    entry: string,
  ) {
    this.types = new Worker(join(__dirname, 'types-worker.js'), { workerData: { project, entry } });
    this.schemas = new Worker(join(__dirname, 'schemas-worker.js'), { workerData: { project } });
  }

  /**
   * Compiles the schemas, and the types beside them. If only comments were edited, types are left for
   * `check`. The code that runs is the same, and models should get the new text quickly.
   *
   * @throws when the tsconfig cannot be read
   */
  async compile(files: readonly string[]): Promise<{ schemas: SchemasResult; checked?: Checked }> {
    // Waits for both answers, so that the next question does not get an answer to this one.
    const [types, schemas] = await Promise.allSettled([this.editAndCheck(files), this.compileSchemas(files)]);
    if (types.status === 'rejected') throw types.reason;
    if (schemas.status === 'rejected') throw schemas.reason;
    return { schemas: schemas.value, ...(types.value && { checked: types.value }) };
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
    const answered = new Promise<SchemasAnswer>((resolve) => this.schemas.once('message', resolve));
    this.schemas.postMessage({ files } satisfies SchemasRequest);
    const answer = await answered;
    if (answer.tell === 'failed') throw new CommandError(answer.message);
    const problems = answer.diagnostics.map((diagnostic) => ({
      ...diagnostic,
      file: resolve(dirname(this.project), diagnostic.file),
    }));
    return { manifest: answer.manifest, problems, files: answer.files };
  }

  /** Call this when the app runs the last compilation. Later plans start from there. */
  takenOver(): void {
    this.types.postMessage({ ask: 'takenOver' } satisfies TypesRequest);
  }

  async close(): Promise<void> {
    await Promise.all([this.types.terminate(), this.schemas.terminate()]);
  }
}
