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
  /** Another package says that the type refers to it. */
  readonly isGiven: boolean;
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

  /**
   * Tells each problem of the type, and of those that it refers to, once: with the first path that leads to it.
   *
   * @param isGiven the type is another package's choice: that it says nothing is not told, as nobody here can change it
   */
  tell(
    at: Place & { isGiven: boolean },
    report: (problem: NotedProblem) => void,
    seen: Seen = new Map(),
  ): void {
    const { isGiven } = at;
    const before = seen.get(this);
    if (before === 'told' || (before && isGiven)) return;
    seen.set(this, isGiven ? 'given' : 'told');
    const from = ({ path, node }: Place): Place => ({ path: [...at.path, ...path], node: node ?? at.node });
    for (const problem of this.found)
      if (problem.code === 'TW_SCHEMA_UNTYPED' ? !isGiven : !before) report({ ...problem, ...from(problem) });
    for (const use of this.used)
      use.notes.tell({ ...from(use), isGiven: isGiven || use.isGiven }, report, seen);
  }
}

/** What was told of a type: all, or what is told of one that is given. */
type Seen = Map<NotedProblems, 'told' | 'given'>;
