import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { type Duration, optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import { stderrLogger, systemClock } from '@toolwright/core/ports';
import {
  type MaybePromise,
  type WhenUnhandled,
  watchUnhandled,
  whenUnhandledOption,
} from '@toolwright/core/transport';
import {
  HttpConnections,
  type HttpServedAlone,
  closeOnSignals,
  stopHttp,
  watchDescriptors,
} from './server-life.js';

export interface DrainOnSignalOptions {
  /**
   * How long the app still serves everything after SIGTERM, while `mcpReady` says `leaving` and each answer
   * ends its connection. It must be longer than a balancer takes to notice: two of its checks. Default 5 seconds. A
   * terminal (SIGINT, SIGHUP) does not wait. 0: it stops at once.
   */
  drainDelay?: Duration;
  /**
   * How long running calls, and the other requests of the app, may take then. Default 30 seconds. 0: they are
   * stopped at once; `Infinity`: until they end.
   */
  grace?: Duration;
  /** Stops on SIGTERM, SIGINT and SIGHUP, and then exits. Default true. */
  signals?: boolean;
  /**
   * What happens when a promise is rejected that nobody awaits, or when a timer or a listener throws. `drain`: it is logged,
   * the app stops as on SIGTERM, and the process exits with 1. `keep`: the process goes on after a rejected promise. `node`:
   * Node.js ends the process at once. Without `signals` it is always `node`. Default `drain`.
   */
  whenUnhandled?: WhenUnhandled;
  /** Closes what else the app has open, such as its database, when everything was answered. */
  afterwards?: () => unknown;
}

const { anyDuration, callback, durationFromZero, flag } = optionRules;

const schema = {
  drainDelay: { ...durationFromZero, default: 5_000 },
  grace: { ...anyDuration, default: 30_000 },
  signals: { ...flag, default: true },
  whenUnhandled: whenUnhandledOption,
  afterwards: callback,
} satisfies OptionSchema<DrainOnSignalOptions>;

/** An app that can be stopped. A worker of `runWorkers` can return it. */
export interface DrainedApp {
  /** Does what a signal does, but for the exit. */
  close(): Promise<void>;
}

/**
 * Lets an app with a mounted server leave its balancer without losing a request. On SIGTERM, `mcpReady` says `leaving`
 * and answers end their connections; after `drainDelay` the app refuses new connections, running calls and all other
 * requests finish, and the server and the HTTP server are closed. Then the process exits: with 0, or with 1 if closing
 * failed. Call it right after `listen`.
 *
 * @param server the MCP server, or the promise of it; a list if the app has several
 * @throws {ConfigurationError} with all problems of the options
 * @example
 * const listener = app.listen(3000);
 * drainOnSignal(server, listener, { afterwards: () => pool.end() });
 */
export function drainOnSignal(
  server: MaybePromise<HttpServedAlone> | readonly MaybePromise<HttpServedAlone>[],
  http: Server | HttpsServer,
  given: DrainOnSignalOptions = {},
): DrainedApp {
  const options = parseOptions('drainOnSignal', schema, given);
  const { drainDelay, grace, afterwards, signals, whenUnhandled } = options;
  const servers = Promise.all([server].flat().map(async (one: MaybePromise<HttpServedAlone>) => one));
  const connections = new HttpConnections(http);
  let logger = stderrLogger();
  let unwatch = () => {};
  servers.then(
    (made) => {
      const [first] = made;
      if (first) ({ logger } = first.protocol);
      const ends = [
        watchDescriptors({ clock: systemClock, logger }),
        watchUnhandled(
          signals ? whenUnhandled : 'node',
          made.map(({ protocol }) => protocol),
        ),
      ];
      unwatch = () => ends.forEach((end) => end());
    },
    () => undefined, // The caller that made the server gets the error. Stopping fails with the same one.
  );
  const stop = async (delayMs: number) => {
    try {
      await stopHttp(await servers, connections, { drainDelay: delayMs, grace, isShared: true });
    } finally {
      unhook();
      unwatch();
      await afterwards?.();
    }
  };
  let closing: Promise<void> | undefined;
  const close = (delayMs = drainDelay) => (closing ??= stop(delayMs));
  // After Ctrl-C a person waits at the terminal, and there is no load balancer.
  const onSignal = (signal: NodeJS.Signals) => close(signal === 'SIGTERM' ? drainDelay : 0);
  const unhook = signals ? closeOnSignals(onSignal, () => logger) : () => undefined;
  return { close: () => close() };
}
