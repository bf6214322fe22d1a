import type { RecordedCall, Sequenced } from '../../../../src/api/record-api.js';
import type { Operation } from '../../../../src/api/surface-api.js';
import { searchedText } from '../../ui/records/record-pane.js';

/** A call, as its last record describes it. */
export interface CallRow {
  /** The server, the run and the number, as the address of the page has them. */
  readonly path: readonly [server: string, run: string, number: string];
  readonly key: string;
  readonly call: RecordedCall;
  /** The app ended before the call did. */
  readonly isLost: boolean;
}

/** `running` and `lost` beside the outcomes of calls that have ended. */
export type RowState = NonNullable<RecordedCall['outcome']> | 'running' | 'lost';

/** One row for each call, newest first: a call has one record when it begins, and another one when it has ended. */
export function rowsOf(records: readonly Sequenced<RecordedCall>[]): CallRow[] {
  const last = new Map<string, RecordedCall>();
  let newestRun = 0;
  for (const { record } of records) {
    const key = keyOf(record);
    if (record.state === 'ended' || !last.has(key)) last.set(key, record);
    newestRun = Math.max(newestRun, record.run);
  }
  return [...last]
    .map(([key, call]) => ({
      path: [call.server, String(call.run), String(call.number)] as const,
      key,
      call,
      isLost: call.state === 'running' && call.run < newestRun,
    }))
    .reverse();
}

/**
 * The row of an address: a server, a run and a number, or only a number, which means the newest call that has it.
 */
export function findRow(rows: readonly CallRow[], rest: readonly string[]): CallRow | undefined {
  if (rest.length === 1) return rows.find(({ path }) => path[2] === rest[0]);
  const key = rest.join('/');
  return rows.find((row) => row.key === key);
}

export function stateOf({ call, isLost }: CallRow): RowState {
  return isLost ? 'lost' : (call.outcome ?? 'running');
}

function keyOf({ server, run, number }: RecordedCall): string {
  return `${server}/${run}/${number}`;
}

interface CallFilter {
  readonly name: string;
  readonly state: string;
  readonly client: string;
  readonly caller: string;
  readonly words: readonly string[];
}

export function filterCalls(rows: readonly CallRow[], filter: CallFilter): readonly CallRow[] {
  const { name, state, client, caller, words } = filter;
  if (!name && !state && !client && !caller && words.length === 0) return rows;
  return rows.filter((row) => {
    if (name && row.call.name !== name) return false;
    if (state && stateOf(row) !== state) return false;
    if (client && clientOf(row) !== client) return false;
    if (caller && callerOf(row) !== caller) return false;
    if (words.length === 0) return true;
    const text = searchedText(row.call);
    return words.every((word) => text.includes(word));
  });
}

export function clientOf({ call: { client } }: CallRow): string | undefined {
  return client?.name;
}

/** Who called, in a few words. */
export function callerOf({ call: { principal } }: CallRow): string {
  return principal?.subject ?? 'anonymous';
}

/** The calls that were made inside of a call, in the order in which they began. */
export function innerCallsOf(
  { server, run, number }: RecordedCall,
  records: readonly Sequenced<RecordedCall>[],
): readonly RecordedCall[] {
  const inside = records.filter(
    ({ record }) => record.parent === number && record.server === server && record.run === run,
  );
  return rowsOf(inside)
    .map(({ call }) => call)
    .reverse();
}

/** The operation that was called, if this caller sees it. */
export function operationOf(
  { kind, name }: RecordedCall,
  operations: readonly Operation[],
): Operation | undefined {
  return operations.find((each) => each.kind === kind && each.name === name);
}
