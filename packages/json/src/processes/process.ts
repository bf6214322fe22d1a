import { userInfo } from 'node:os';
import type { Writable } from 'node:stream';

/** Marks a stream whose errors are heard. Every copy of this module sees the mark. */
const HEARD = Symbol.for('toolwright.errorsAreHeard');

/**
 * This many bytes of a log wait for a reader that hangs, such as a log collector. The others are lost: they would fill the
 * memory. Standard output has the messages of a protocol, and its writers wait by themselves.
 */
const MOST_WAITING = 1_048_576;

let lost = 0;

/** How many lines of this process were lost: standard output, standard error or the logger did not take them. */
export const lostWrites = (): number => lost;

/** Counts a line that a logger of the application did not take. */
export const countLostLine = (): void => void (lost += 1);

/**
 * Writes to standard output or standard error. What cannot be written, because its reader has gone or hangs, or its disk is full,
 * is lost and counted: it must not end the process. When there is room again, later texts are written.
 *
 * @param done is called when the text was written, and when it was lost
 * @returns false when the stream has enough for now
 */
export function writeOut(
  stream: Writable & { [HEARD]?: true },
  text: string | Uint8Array,
  done?: () => void,
): boolean {
  if (!stream[HEARD]) {
    stream[HEARD] = true;
    stream.on('error', () => undefined);
  }
  if (stream === process.stderr && stream.writableLength > MOST_WAITING) {
    lost += 1;
    done?.();
    return true;
  }
  return stream.write(text, (error) => {
    if (error) lost += 1;
    done?.();
  });
}

/** False for a process that has ended. One of another user is running, and may not be signalled. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * The name of the user of the system that this process runs as. Some platforms, such as OpenShift, run containers as a number
 * that no user has; then it is that number.
 */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Ends what it serves. It rejects, or returns false, when not everything ended well. */
export type Stop = (signal: NodeJS.Signals) => Promise<unknown>;

/** A second Ctrl-C that comes earlier than this, in milliseconds, is the first one, passed on by another process. */
const PASSED_ON_MS = 2_000;
/** What a shell shows for a process that SIGINT has ended. */
const INTERRUPTED = 130;

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Marks our listeners. Every copy of this module sees the mark. */
const OURS = Symbol.for('toolwright.stopsOnSignals');

const stops = new Set<Stop>();
/** When the first signal came, by the clock of the process. `undefined`: none has come. */
let stoppingSince: number | undefined;

/**
 * Stops on SIGTERM, SIGINT and SIGHUP, and then exits: with 0 or `process.exitCode`, or with 1 if something did not end well. Whatever a process has to
 * stop is stopped at the same time, and it exits when all has ended.
 *
 * Images and process managers send signals twice: to the group and to the process. So a later SIGTERM changes nothing. A
 * later SIGINT comes from a person who does not want to wait: it ends the process with 130, but only two seconds after the
 * first signal.
 *
 * @returns takes it back. While the process stops, its signals stay taken
 */
export function stopOnSignals(stop: Stop): () => void {
  if (stops.size === 0 && stoppingSince === undefined) leave = onStopSignals(onSignal);
  stops.add(stop);
  return () => {
    stops.delete(stop);
    if (stops.size === 0 && stoppingSince === undefined) leave();
  };
}

let leave = (): void => undefined;

/**
 * Listens to the signals that stop a process. A terminal that is closed sends SIGHUP. Node.js would end the process at once,
 * also under `nohup`. To an application that listens to SIGHUP itself it means something else, such as new settings.
 */
export function onStopSignals(heard: (signal: NodeJS.Signals) => void): () => void {
  const listener = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGHUP' || !isForApplication()) heard(signal);
  };
  Object.assign(listener, { [OURS]: true });
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

interface Counted {
  readonly count?: number;
}

/** The package `signal-exit`, which many others use, listens to all signals, and leaves them to whoever else does. */
function isForApplication(): boolean {
  const { __signal_exit_emitter__: former } = process as { __signal_exit_emitter__?: Counted };
  const current = (globalThis as Record<symbol, Counted | undefined>)[Symbol.for('signal-exit emitter')];
  const ofExits = (former?.count ?? 0) + (current?.count ?? 0);
  return process.listeners('SIGHUP').filter((each) => !(OURS in each)).length > ofExits;
}

function onSignal(signal: NodeJS.Signals): void {
  const now = performance.now();
  if (stoppingSince !== undefined) {
    if (signal === 'SIGINT' && now - stoppingSince >= PASSED_ON_MS) process.exit(INTERRUPTED);
    return;
  }
  stoppingSince = now;
  const ended = [...stops].map(async (stop) => stop(signal));
  void Promise.allSettled(ended).then((ends) => {
    const isWell = ends.every((end) => end.status === 'fulfilled' && end.value !== false);
    process.exit(isWell ? (process.exitCode ?? 0) : 1);
  });
}
