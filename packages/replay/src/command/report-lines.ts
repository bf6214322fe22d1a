import { count } from '@toolwright/json';
import type { AnswerDifference } from '../compare/compare-values.js';
import { leftReasons } from '../play/left-call.js';
import type { DifferingCall, LeftCall, ReplayReport } from '../play/replay-report.js';
import type { ComparedTime } from '../play/times.js';

/** More differences of one call say nothing more. */
const MOST_DIFFERENCES = 10;
const MOST_CALLS = 50;
const MOST_NAMES = 10;

/** A report for people, a line each. */
export function* reportLines(report: ReplayReport, wanted: number): Generator<string> {
  const { counts, differing, hidden, left, replayed, recorded, waitedMs } = report;
  const was = `${recorded.server.name} ${recorded.server.version}`;
  const is = replayed ? `${replayed.name} ${replayed.version}` : 'nothing';
  const unknown = report.uncompared > 0 ? `, ${count(report.uncompared, 'call')} could not be compared` : '';
  const compared = comparedIn(report);
  const few =
    compared < wanted ? ` Too few: ${compared} compared, and at least ${wanted} should be (--min).` : '';
  yield `Recorded ${was}, replayed ${is}: ${counts.replayed} of ${count(counts.calls, 'call')}, ${counts.same} the same${unknown}.${few}`;
  for (const call of differing.slice(0, MOST_CALLS)) yield* differingLines(call);
  if (differing.length > MOST_CALLS)
    yield `… and ${count(differing.length - MOST_CALLS, 'more call', 'more calls')}.`;
  if (left.length > 0) yield* leftLines(left);
  if (hidden > 0)
    yield `Not compared: ${count(hidden, 'value')} that ${hidden === 1 ? 'was' : 'were'} hidden when recorded.`;
  if (waitedMs > 0) yield `Waited ${Math.ceil(waitedMs / 1_000)} s for limits of the server.`;
  yield* timeLines(report.times);
}

/** How many calls have an answer of which is known whether it is the same. */
export const comparedIn = ({ counts, uncompared }: ReplayReport): number => counts.replayed - uncompared;

function* differingLines({
  caller,
  differences,
  kind,
  method,
  name,
  number,
}: DifferingCall): Generator<string> {
  yield `#${number} ${method}${name === method ? '' : ` ${name}`} (${caller}): ${kind}`;
  for (const difference of differences.slice(0, MOST_DIFFERENCES)) yield `  ${inWords(difference)}`;
  const more = differences.length - MOST_DIFFERENCES;
  if (more > 0) yield `  … and ${count(more, 'more difference')}`;
}

/** A difference in one line. */
export function inWords({ path, recorded, replayed, words }: AnswerDifference): string {
  const at = path === '' ? '' : `${path}: `;
  const both =
    recorded !== undefined && replayed !== undefined ? `${recorded} became ${replayed}` : undefined;
  if (words !== undefined) return `${at}${words}${both === undefined ? '' : `: ${both}`}`;
  if (both !== undefined) return at + both;
  return recorded === undefined ? `${at}${replayed} is new` : `${at}${recorded} is missing`;
}

function* leftLines(left: readonly LeftCall[]): Generator<string> {
  yield `Not replayed: ${count(left.length, 'call')}.`;
  const groups = new Map<string, LeftCall[]>();
  for (const call of left) {
    const why = call.words ?? leftReasons[call.reason];
    groups.set(why, [...(groups.get(why) ?? []), call]);
  }
  for (const [why, calls] of groups) {
    const names = [...new Set(calls.map(({ name }) => name))];
    const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
    yield `  ${calls.length}: ${why}: ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
  }
}

function* timeLines(times: readonly ComparedTime[]): Generator<string> {
  const slower = times.filter(({ isNoise, ratio }) => !isNoise && ratio >= 2);
  const faster = times.filter(({ isNoise, ratio }) => !isNoise && ratio <= 0.5);
  if (times.length === 0) return;
  if (slower.length + faster.length === 0) return yield 'Times: no difference beyond noise.';
  yield 'Times, recorded in the server and replayed with the way to it:';
  for (const { calls, name, ratio, recordedMs, replayedMs } of [...slower, ...faster].slice(0, MOST_NAMES))
    yield `  ${name}: ${recordedMs} ms became ${replayedMs} ms, ${ratio} times as long (${count(calls, 'call')})`;
}
