import type { ts } from 'typescript-json-schema';
import type { SchemaErrorCode } from './catalogue.js';

/** Where something stands, seen from a type. */
interface Place {
  /** From the type on. */
  readonly path: readonly string[];
  /** Undefined where the place is that of whoever uses the type. */
  readonly node?: ts.Node | undefined;
}

/** A problem of a type that several tools may use. */
export interface NotedProblem extends Place {
  readonly code: SchemaErrorCode;
  readonly detail: string;
}

/** Another type that the type refers to. */
export interface NotedUse extends Place {
  readonly notes: NotedProblems;
}

/** What was found wrong while the schema of one type was made: it is told again for each tool that uses the type. */
export class NotedProblems {
  private readonly found: NotedProblem[] = [];
  private readonly used: NotedUse[] = [];

  /**
   * @param depth how many places were open around the type
   * @param pathDepth how long the path to the type was
   */
  constructor(
    readonly depth: number,
    readonly pathDepth: number,
  ) {}

  add(problem: NotedProblem): void {
    this.found.push(problem);
  }

  use(use: NotedUse): void {
    this.used.push(use);
  }

  /** Tells each problem of the type, and of those that it refers to, once: with the first path that leads to it. */
  tell(at: Place, report: (problem: NotedProblem) => void, seen = new Set<NotedProblems>()): void {
    if (seen.has(this)) return;
    seen.add(this);
    const from = ({ path, node }: Place): Place => ({ path: [...at.path, ...path], node: node ?? at.node });
    for (const problem of this.found) report({ ...problem, ...from(problem) });
    for (const use of this.used) use.notes.tell(from(use), report, seen);
  }
}
