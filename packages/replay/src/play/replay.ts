import { systemClock } from '@toolwright/core/ports';
import { canonicalJson, isObject, present, reasonOf } from '@toolwright/json';
import { compareAnswers, type ComparedAnswers, type DescribeChanges } from '../compare/compare-answers.js';
import { familyOfTool } from '../compare/id-family.js';
import { IdPairs, idsIn, wordsLikeIds } from '../compare/id-pairs.js';
import { callerName, type KeptCall, type Members, nameOf } from '../read/kept-call.js';
import { keptCalls } from '../read/kept-calls.js';
import type { TrafficRecording } from '../read/read-recording.js';
import { type LeftReason, reasonToLeave } from './left-call.js';
import { CallerUnknownError, hasHints, type OpenPlayer, type PlayedCall, Player } from './player.js';
import type { CallPlace, DifferingCall, LeftCall, ReplayReport } from './replay-report.js';
import { Times } from './times.js';

export interface ReplayOptions {
  /** Opens a client for each caller of the recording. */
  readonly open: OpenPlayer;
  /** Also tools that do not say that they only read. Default: false. */
  readonly all?: boolean;
  /** Only the calls of the caller with this subject. */
  readonly only?: string | undefined;
  /** Names of members that are not compared, at any depth. */
  readonly ignore?: readonly string[];
  /** Says in words what changed between two lists of tools. */
  readonly changes?: DescribeChanges | undefined;
}

/**
 * Sends the calls of a recording to a server, one after the other and each as its own caller, and compares the answers.
 *
 * @example
 * const report = await replay(await readRecording('calls.jsonl'), { open: ({ client }) => connect(server, client) });
 * expect(report.differing).toEqual([]);
 * @throws {Error} if no client can be opened at all
 */
export async function replay(recording: TrafficRecording, options: ReplayOptions): Promise<ReplayReport> {
  const run = new Replay(recording, options);
  try {
    return await run.report();
  } finally {
    await run.close();
  }
}

/** A client, or why there is no client for these calls. */
type Opened = Player | { readonly reason: LeftReason; readonly words: string; readonly error: unknown };

class Replay {
  readonly #players = new Map<string, Opened>();
  readonly #ids = new Map<string, IdPairs>();
  /** The ids that calls made that were not replayed: this server does not have them. */
  readonly #lost = new Set<string>();
  readonly #differing: DifferingCall[] = [];
  readonly #left: LeftCall[] = [];
  readonly #times = new Times();
  readonly #recordedHints: ReadonlyMap<string, boolean>;
  readonly #kept;
  #replayed = 0;
  #hidden = 0;
  #uncompared = 0;

  constructor(
    private readonly recording: TrafficRecording,
    private readonly options: ReplayOptions,
  ) {
    this.#kept = keptCalls(recording.messages);
    this.#recordedHints = hintsIn(this.#kept.calls, recording.header.reads);
  }

  async report(): Promise<ReplayReport> {
    const { only } = this.options;
    const calls = this.#kept.calls.filter(({ caller }) => only === undefined || caller?.subject === only);
    for (const call of calls) await this.#replayOrLeave(call);
    this.#failIfNobodyCame();
    const { server, contract, revision } = this.recording.header;
    const players = this.#opened();
    const same = this.#replayed - this.#differing.length - this.#uncompared;
    return {
      recorded: present({ server, contract, revision }),
      replayed: players[0]?.client.server.info,
      counts: { calls: calls.length, replayed: this.#replayed, same },
      differing: this.#differing,
      left: this.#left,
      others: this.#kept.others,
      uncompared: this.#uncompared,
      hidden: this.#hidden,
      waitedMs: players.reduce((sum, { waitedMs }) => sum + waitedMs, 0),
      times: this.#times.compared(),
    };
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#opened().map(({ client }) => client.close()));
  }

  /** A recording may have anything in it: what cannot be read is one call that is left, and not the end of the replay. */
  async #replayOrLeave(call: KeptCall): Promise<void> {
    try {
      await this.#replay(call);
    } catch {
      this.#left.push({ ...placeOf(call), reason: 'unreadable' });
    }
  }

  async #replay(call: KeptCall): Promise<void> {
    const reason = reasonToLeave(call);
    if (reason) return void this.#left.push({ ...placeOf(call), reason });
    const player = await this.#playerOf(call);
    if (!(player instanceof Player))
      return void this.#left.push({ ...placeOf(call), reason: player.reason, words: player.words });
    const doubt = await this.#doubtOf(call, player);
    if (doubt && !this.options.all) return this.#leaveWrite(call, doubt);
    const ids = this.#idsOf(call);
    const family = familyOf(call);
    const named = [...idsIn(call.params, family)];
    const isLost = named.some((id) => this.#lost.has(id) && !ids.knows(id));
    if (isLost || (doubt && ids.isDoubtful(call.params, family)))
      return void this.#left.push({ ...placeOf(call), reason: 'ids' });
    const params = ids.translate(call.params, family) as Members;
    ids.pin(call.params, family);
    const at = systemClock.now();
    const played = await player.play(call, params, doubt === undefined);
    this.#judge(call, this.#compare(call, played, at), player);
    this.#replayed++;
    this.#times.add(nameOf(call), call.ms, played.ms);
  }

  #leaveWrite(call: KeptCall, reason: LeftReason): void {
    this.#left.push({ ...placeOf(call), reason });
    const [ids, family] = [this.#idsOf(call), familyOf(call)];
    const named = idsIn(call.params, family);
    for (const id of [...idsIn(call.answer, family), ...wordsLikeIds(call.answer)])
      if (!named.has(id) && !ids.knows(id)) this.#lost.add(id);
  }

  #compare(call: KeptCall, { answer }: PlayedCall, at: number): ComparedAnswers {
    const { changes, ignore = [] } = this.options;
    try {
      return compareAnswers(call.answer!, answer, {
        ids: this.#idsOf(call),
        family: familyOf(call),
        moments: { recorded: this.recording.header.began + call.at, replayed: at },
        ignored: new Set(ignore),
        method: call.method,
        changes,
      });
    } catch (error) {
      // JSON may have more levels than a stack.
      if (!(error instanceof RangeError)) throw error;
      return {
        kind: 'results',
        hidden: 0,
        differences: [{ path: '', words: 'it has too many levels to compare' }],
      };
    }
  }

  #judge(call: KeptCall, { kind, differences, hidden }: ComparedAnswers, { answers }: Player): void {
    this.#hidden += hidden;
    const { unexpected, unasked } = answers;
    const asked = [
      ...(unexpected === undefined ? [] : [`the server asked ${unexpected}, which it did not ask before`]),
      ...(unasked > 0 ? ['the server did not ask what it asked before'] : []),
    ].map((words) => ({ path: '', words }));
    const all = [...asked, ...differences];
    if (all.length > 0) this.#differing.push({ ...placeOf(call), kind, differences: all });
    else if (hidden > 0) this.#uncompared++;
  }

  async #playerOf(call: KeptCall): Promise<Opened> {
    const { caller, client, revision, answers } = call;
    const key = canonicalJson([caller, client, revision, answers]);
    const known = this.#players.get(key);
    if (known) return known;
    const opened = await Player.open(call, this.options.open).catch((error: unknown): Opened => {
      const reason = error instanceof CallerUnknownError ? 'caller' : 'unreachable';
      return { reason, words: reasonOf(error), error };
    });
    this.#players.set(key, opened);
    return opened;
  }

  #opened(): Player[] {
    return [...this.#players.values()].filter((each) => each instanceof Player);
  }

  /** A server that is not there is an error, and not a list of calls. */
  #failIfNobodyCame(): void {
    const all = [...this.#players.values()];
    const failed = all.flatMap((each) =>
      each instanceof Player || each.reason === 'caller' ? [] : [each.error],
    );
    if (failed.length > 0 && failed.length === all.length) throw failed[0];
  }

  /** Each caller has its own: an id of one must not reach another. */
  #idsOf({ caller }: KeptCall): IdPairs {
    const key = canonicalJson(caller ?? null);
    const known = this.#ids.get(key) ?? new IdPairs();
    this.#ids.set(key, known);
    return known;
  }

  /**
   * Why a call may do more than read. Both builds must say that a tool only reads: the new one, and the recorded one if the
   * recording has its list.
   */
  async #doubtOf({ method, params }: KeptCall, player: Player): Promise<'writes' | 'unlisted' | undefined> {
    if (method !== 'tools/call') return undefined;
    const name = calledName(params);
    if (name === undefined) return 'unlisted';
    const [then, tool] = [this.#recordedHints.get(name), (await player.tools()).get(name)];
    if (then === false) return 'writes';
    // A server with search lists few of its tools.
    if (!tool) return then === true ? undefined : 'unlisted';
    return tool.annotations?.readOnlyHint === true ? undefined : 'writes';
  }
}

const placeOf = (call: KeptCall): CallPlace => ({
  number: call.number,
  method: call.method,
  name: nameOf(call),
  caller: callerName(call.caller),
});

const familyOf = ({ params }: KeptCall) => familyOfTool(calledName(params) ?? '');

/** The tool that a call means: `call_tool` of a server with search calls another one. */
function calledName({ name, arguments: args }: Members): string | undefined {
  const meant = name === 'call_tool' && isObject(args) ? args['name'] : name;
  return typeof meant === 'string' ? meant : undefined;
}

/** Which tools said that they only read, by the header and the lists of the recording. */
function hintsIn(calls: readonly KeptCall[], reads: unknown): ReadonlyMap<string, boolean> {
  const hints = new Map(
    Object.entries(isObject(reads) ? reads : {}).map(([name, is]) => [name, is === true]),
  );
  for (const { method, answer, revision } of calls) {
    if (!hasHints(revision)) continue;
    const tools =
      method === 'tools/list' && answer && 'result' in answer ? answer.result['tools'] : undefined;
    for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
      if (!isObject(tool) || typeof tool['name'] !== 'string') continue;
      const { annotations } = tool;
      const reads = isObject(annotations) && annotations['readOnlyHint'] === true;
      hints.set(tool['name'], reads && hints.get(tool['name']) !== false);
    }
  }
  return hints;
}
