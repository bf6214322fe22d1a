import type {
  CheckedOperation,
  ConfigurationProblem,
  DeclaredEntry,
  DeclaredOperation,
} from '@toolwright/core/checks';
import { schemaOf } from '@toolwright/json';
import type { Manifest } from '@toolwright/manifest';
import { loadChecks } from '../load-core.js';

type Taken = Parameters<ReturnType<typeof loadChecks>['findRepeatedName']>[2];

/**
 * Finds problems that would keep a server from serving a class, before anything runs. It uses the checks of a
 * starting server, on everything that the source says about the published operations. Values that are only
 * known at run time are assumed to be right.
 *
 * @param operations of methods in the manifest; others are left out
 */
export function findDeclaredProblems(
  manifest: Manifest,
  operations: readonly DeclaredOperation[],
): DeclaredProblem[] {
  return findDeclared(manifest, operations, loadChecks().checkDeclared);
}

/** What was found out about an operation, by all that the source and the manifest say about it. */
type Known = Map<string, CheckedOperation>;

/**
 * Problems of a manifest that is written again and again, as while somebody edits its sources: what an edit leaves as it
 * was is not looked at again.
 */
export class KnownProblems {
  private known: Known = new Map();

  /** The same as `findDeclaredProblems`. */
  find(manifest: Manifest, operations: readonly DeclaredOperation[]): DeclaredProblem[] {
    const before = this.known;
    this.known = new Map();
    return findDeclared(manifest, operations, (declared) => {
      const text = textOf(declared);
      const found = (text !== undefined && before.get(text)) || loadChecks().checkDeclared(declared);
      if (text !== undefined) this.known.set(text, found);
      return found;
    });
  }
}

/** `undefined` where JSON does not tell everything: it writes `null` for `Infinity`, and cannot write a bigint. */
function textOf({ operation, entry, manifest }: DeclaredEntry): string | undefined {
  try {
    const declared = JSON.stringify(operation);
    if (declared.includes('null')) return undefined;
    const schemas = [schemaOf(manifest, entry.input), schemaOf(manifest, entry.output ?? '')];
    return declared + JSON.stringify([entry, schemas]);
  } catch {
    return undefined;
  }
}

export interface DeclaredProblem extends Omit<ConfigurationProblem, 'location'> {
  /** `ManifestEntry.key` of the method. */
  readonly key: string;
}

function findDeclared(
  manifest: Manifest,
  operations: readonly DeclaredOperation[],
  alone: (declared: DeclaredEntry) => CheckedOperation,
): DeclaredProblem[] {
  const entries = new Map(manifest.entries.map((entry) => [entry.key, entry]));
  const taken: Taken = new Map();
  const { findRepeatedName } = loadChecks();
  return operations.flatMap((operation) => {
    const entry = entries.get(operation.key);
    if (!entry) return [];
    const checked = alone({ operation, entry, manifest });
    return [...checked.problems, ...findRepeatedName(checked, entry, taken)].map(
      ({ code, message, fix }) => ({
        key: entry.key,
        code,
        message,
        fix,
      }),
    );
  });
}
