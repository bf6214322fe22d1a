import { operationKinds } from '../base/operation-kinds.js';
import { oneOf } from '../base/options/rules.js';
import { addressOf } from '../call/operation/keys.js';
import type { BoundOperation } from '../call/operation/operation.js';
import type { Registry } from '../call/operation/registry.js';

/**
 * What happens when a promise is rejected and nobody awaits it, or when a timer or an event listener throws. Such a failure
 * belongs to no call, and Node.js would end the process, with the calls of all callers.
 *
 * - `drain`: it is logged, and the process stops as on SIGTERM: running calls are answered. It exits with 1.
 * - `keep`: a rejected promise is logged, and the process goes on. After an exception the process still stops, because
 *   nobody knows what was left half done.
 * - `node`: Node.js decides.
 */
export type WhenUnhandled = 'drain' | 'keep' | 'node';

export const whenUnhandledOption = { ...oneOf('drain', 'keep', 'node'), default: 'drain' } as const;

/** A failure that no code has handled. */
export interface UnhandledFailure {
  readonly error: unknown;
  /** False: a timer or an event listener has thrown it. */
  readonly isRejection: boolean;
  /** True when the process goes on. */
  readonly isKept: boolean;
}

/** Whether this process stops already because of such a failure. */
let isLeaving = false;

/**
 * Listens for failures that nobody handles. Node.js reports rejected promises as exceptions, unless the application listens
 * for `unhandledRejection` or has started Node.js with `--unhandled-rejections`. So what the application does wins.
 *
 * @param servers get each failure to log it
 * @returns a function that ends it
 */
export function watchUnhandled(
  when: WhenUnhandled,
  servers: readonly { noteUnhandled(failure: UnhandledFailure): void }[],
): () => void {
  if (when === 'node') return () => undefined;
  const hear = (error: unknown, origin: string) => {
    const isRejection = origin === 'unhandledRejection';
    const isKept = isRejection && when === 'keep';
    for (const server of servers) server.noteUnhandled({ error, isRejection, isKept });
    // The application may take a second signal for the wish to stop at once.
    if (isKept || isLeaving) return;
    isLeaving = true;
    process.exitCode = 1;
    // Everything that stops with the process hears it: other servers, the worker that tells its primary process, and the
    // application.
    process.emit('SIGTERM', 'SIGTERM');
  };
  process.on('uncaughtException', hear);
  return () => void process.off('uncaughtException', hear);
}

/**
 * The operations whose methods are in the stack of an error; if there are none, those of the classes in it. A stack has the
 * method that began the promise until the first `await` of the code behind it. After that it may have a private method of
 * the same class, or nothing of it. Remembering the operation of every promise would make all promises of the process
 * slower.
 */
export function operationsIn(error: unknown, registry: Registry): string[] {
  const frames = framesOf(error).map((frame) => frame.split('.'));
  if (frames.length === 0) return [];
  const methods = new Set(frames.map((names) => names.slice(-2).join('.')));
  const classes = new Set(frames.map((names) => names.at(-2)));
  const named = Object.values(operationKinds)
    .flatMap(({ collection }): readonly BoundOperation[] => registry[collection].everything())
    .flatMap((operation) => {
      const { entry } = operation;
      return entry ? [{ operation, method: entry.method, className: classNameIn(entry.key) }] : [];
    });
  const exact = named.filter(({ className, method }) => methods.has(`${className}.${method}`));
  const near = exact.length > 0 ? exact : named.filter(({ className }) => classes.has(className));
  return near.map(({ operation }) => addressOf(operation));
}

/** The functions in a stack. The message before them may repeat what a caller has sent, so it is left out. */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return [];
  const { stack, message } = error;
  return stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .flatMap((line) => /^\s+at (?:async )?(\S+) /.exec(line)?.[1] ?? []);
}

/** The last name of `<source path>#<Qualified.Class>.<method>` before the method. */
function classNameIn(key: string): string | undefined {
  return key
    .slice(key.indexOf('#') + 1)
    .split(/\.|::/)
    .at(-2);
}
