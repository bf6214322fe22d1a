import type { ts } from '../generator/tjs-adapter.js';
import type { SchemaErrorCode } from './catalogue.js';

/** The place of a problem, relative to a type. */
interface Place {
  /** The path from the type. */
  readonly path: readonly string[];
  /** Undefined if the problem is reported at the place that uses the type. */
  readonly node?: ts.Node | undefined;
}

/** A problem of a type that several tools may use. */
export interface NotedProblem extends Place {
  readonly code: SchemaErrorCode;
  readonly detail: string;
  /** It concerns only whoever chose the type. */
  readonly isChoice: boolean;
}

/** Another type that the type refers to. */
export interface NotedUse extends Place {
  readonly notes: NotedProblems;
  /** Another package declares that the type refers to it. */
  readonly isGiven: boolean;
}

/**
 * The problems that were found while the schema of one type was created. They are reported again for each
 * tool that uses the type.
 */
export class NotedProblems {
  private readonly found: NotedProblem[] = [];
  private readonly used: NotedUse[] = [];

  /**
   * @param depth how many places were open around the type
   * @param pathDepth the length of the path to the type
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
   * Reports each problem of the type, and of the types that it refers to, once, with the first path that
   * leads to it.
   *
   * @param isGiven another package chose the type. The project cannot change it, so a missing type in it is
   * not reported
   */
  tell(
    at: Place & { isGiven: boolean },
    report: (problem: NotedProblem) => void,
    seen: Seen = new Map(),
  ): void {
    const { isGiven } = at;
    const before = seen.get(this);
    if (before === 'all' || (before && isGiven)) return;
    seen.set(this, isGiven ? 'given' : 'all');
    const from = ({ path, node }: Place): Place => ({ path: [...at.path, ...path], node: node ?? at.node });
    for (const problem of this.found)
      if (problem.isChoice ? !isGiven : !before) report({ ...problem, ...from(problem) });
    for (const use of this.used)
      use.notes.tell({ ...from(use), isGiven: isGiven || use.isGiven }, report, seen);
  }
}

/**
 * Which problems of a type were already reported: all of them, or only the problems that are reported for a type of
 * another package.
 */
type Seen = Map<NotedProblems, 'all' | 'given'>;
