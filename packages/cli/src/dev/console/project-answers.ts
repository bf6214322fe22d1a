import { join, relative, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import type {
  Contract,
  KeywordOrigin,
  ProjectMethods,
  ProjectProblem,
  RecordedFailure,
} from '@toolwright/console';
import type { Manifest } from '@toolwright/manifest';
import type { DevCompilation, CompileProblem } from '../problem.js';
import { keptEvaluations } from './kept-evaluations.js';
import { openSource } from './open-source.js';
import type { ProjectAnswer, ProjectQuestion } from './project-worker.js';

/** How many milliseconds the linter and the explanation of a tool may take. */
const PATIENCE_MS = 60_000;

/** As many as a person looks back at. */
const MOST_FAILURES = 500;

export interface ProjectAnswersOptions {
  /** Absolute path of the tsconfig. */
  readonly project: string;
  readonly directory: string;
  readonly refusal: (message: string) => Error;
}

/**
 * Answers what the console asks of the project. Classes are loaded in a thread of their own, which ends after each
 * answer: this process would keep their first version, and has to go on forwarding requests meanwhile.
 */
export class ProjectAnswers {
  #compilation: DevCompilation | undefined;
  /** The manifest of the last compilation without errors. */
  #sound: Manifest | undefined;
  readonly #kept = new Map<string, Promise<unknown>>();
  readonly #workers = new Set<Worker>();
  readonly #failures = new Map<string, RecordedFailure>();

  constructor(private readonly options: ProjectAnswersOptions) {}

  readonly methods: Omit<ProjectMethods, 'signIn' | 'startSignIn'> = {
    contract: () => this.#contract(),
    origins: ({ tool }) => this.#keep(`origins ${tool}`, () => this.#origins(tool)),
    evaluations: () => keptEvaluations(this.options.directory),
    openSource: (params) => openSource(params, this.options),
    failure: ({ reference }) => this.#failures.get(reference) ?? null,
  };

  /** Takes over a compilation. Earlier answers count no more. */
  built(compilation: DevCompilation): void {
    this.#compilation = compilation;
    if (!compilation.problems.some(({ severity }) => severity === 'error'))
      this.#sound = compilation.manifest;
    this.#kept.clear();
  }

  /** The latest are kept. */
  keepFailure(failure: RecordedFailure): void {
    this.#failures.set(failure.reference, failure);
    if (this.#failures.size > MOST_FAILURES) this.#failures.delete(this.#failures.keys().next().value!);
  }

  /** The problems of a compilation, with places relative to the project. */
  describe(problems: readonly CompileProblem[]): ProjectProblem[] {
    return problems.map(({ severity, code, message, file, line, column }) => ({
      severity,
      code,
      message,
      ...(file !== undefined && {
        location: `${relative(this.options.directory, file).split(sep).join('/')}:${line}:${column}`,
      }),
    }));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
  }

  async #contract(): Promise<Contract> {
    const problems = this.describe(this.#compilation?.problems ?? []);
    const manifest = this.#sound;
    if (!manifest) return { problems, lintProblems: [], tokens: { total: 0, tools: [] } };
    const { project } = this.options;
    const found = await this.#keep('contract', () => this.#ask({ ask: 'contract', project, manifest }));
    return { problems, ...(found as Omit<Contract, 'problems'>) };
  }

  async #origins(tool: string): Promise<readonly KeywordOrigin[]> {
    const { project } = this.options;
    return (await this.#ask({ ask: 'origins', project, tool: String(tool) })) as readonly KeywordOrigin[];
  }

  /** The same answer until the next compilation. An answer that failed is not kept. */
  #keep<T>(key: string, find: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key) as Promise<T> | undefined;
    if (known) return known;
    const found = find();
    this.#kept.set(key, found);
    found.catch(() => this.#kept.get(key) === found && this.#kept.delete(key));
    return found;
  }

  async #ask(question: ProjectQuestion): Promise<unknown> {
    const { refusal } = this.options;
    // What loaded classes print belongs to nobody: the output of `dev` may carry a protocol.
    const worker = new Worker(join(__dirname, 'project-worker.js'), {
      workerData: question,
      stdout: true,
      stderr: true,
    });
    this.#workers.add(worker);
    const timer = setTimeout(() => void worker.terminate(), PATIENCE_MS);
    try {
      const answer = await new Promise<ProjectAnswer>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject);
        worker.once('exit', () =>
          reject(refusal('The project could not be looked at: its classes ended the thread.')),
        );
      });
      if (answer.is === 'refused') throw refusal(answer.message);
      return answer.result;
    } finally {
      clearTimeout(timer);
      this.#workers.delete(worker);
      await worker.terminate();
    }
  }
}
