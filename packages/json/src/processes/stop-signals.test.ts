type Module = typeof import('./process.js');

/** A process that has just begun. */
function begin(): Module['stopOnSignals'] {
  let module!: Module;
  jest.isolateModules(() => (module = jest.requireActual<Module>('./process.js')));
  return module.stopOnSignals;
}

const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** As Node.js does it. */
const send = (signal: NodeJS.Signals) => process.emit(signal, signal);

let exit: jest.SpyInstance;
beforeEach(() => {
  jest.useFakeTimers();
  exit = jest.spyOn(process, 'exit').mockReturnValue(undefined as never);
});
afterEach(() => {
  for (const signal of signals) process.removeAllListeners(signal);
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Something that ends when the test ends it. */
function work() {
  let end!: (value?: unknown) => void;
  let fail!: (error: Error) => void;
  const ended = new Promise<unknown>((resolve, reject) => ([end, fail] = [resolve, reject]));
  return { stop: jest.fn(async () => ended), end, fail };
}

test.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGINT'],
  ['SIGHUP', 'SIGHUP'],
  ['SIGTERM', 'SIGHUP'],
] as const)('%s and %s at once are one signal', async (first, second) => {
  const { stop, end } = work();
  begin()(stop);
  send(first);
  jest.advanceTimersByTime(50);
  send(second);
  expect(stop.mock.calls).toEqual([[first]]);
  expect(exit).not.toHaveBeenCalled();
  end();
  await settled();
  expect(exit.mock.calls).toEqual([[0]]);
});

test('a Ctrl-C two seconds after the first signal ends the process, and a SIGTERM never does', () => {
  begin()(work().stop);
  send('SIGTERM');
  jest.advanceTimersByTime(1_999);
  send('SIGINT');
  jest.advanceTimersByTime(60_000);
  send('SIGTERM');
  expect(exit).not.toHaveBeenCalled();
  send('SIGINT');
  expect(exit.mock.calls).toEqual([[130]]);
});

test('an application that listens to SIGHUP itself keeps it', () => {
  const { stop } = work();
  begin()(stop);
  process.on('SIGHUP', () => undefined);
  send('SIGHUP');
  expect(stop).not.toHaveBeenCalled();
  send('SIGTERM');
  expect(stop).toHaveBeenCalled();
});

// What versions 3 and 4 of signal-exit leave: a listener to each signal, and how many of them there are.
test.each([
  ['3', process, '__signal_exit_emitter__'],
  ['4', globalThis, Symbol.for('signal-exit emitter')],
])('signal-exit %s only watches how the process ends, and does not keep SIGHUP', (_version, place, name) => {
  process.on('SIGHUP', () => undefined);
  Object.assign(place, { [name]: { count: 1 } });
  const { stop } = work();
  begin()(stop);
  // A worker listens, too, by another copy of the module.
  begin()(work().stop);
  send('SIGHUP');
  Reflect.deleteProperty(place, name);
  expect(stop).toHaveBeenCalled();
});

test('eleven servers of a process share one listener, and it exits when all have ended', async () => {
  const before = signals.map((signal) => process.listenerCount(signal));
  const stopOnSignals = begin();
  const all = Array.from({ length: 11 }, work);
  for (const { stop } of all) stopOnSignals(stop);
  expect(signals.map((signal) => process.listenerCount(signal))).toEqual(before.map((count) => count + 1));
  send('SIGTERM');
  for (const { end } of all.slice(1)) end();
  await settled();
  expect(exit).not.toHaveBeenCalled();
  all[0]!.end();
  await settled();
  expect(exit.mock.calls).toEqual([[0]]);
});

test.each([
  ['fails', ({ fail }: ReturnType<typeof work>) => fail(new Error('no'))],
  ['returns false', ({ end }: ReturnType<typeof work>) => end(false)],
])('the process exits with 1 when a stop %s', async (_, finish) => {
  const stopOnSignals = begin();
  const [one, other] = [work(), work()];
  stopOnSignals(one.stop);
  stopOnSignals(other.stop);
  send('SIGTERM');
  finish(one);
  other.end();
  await settled();
  expect(exit.mock.calls).toEqual([[1]]);
});

test('what is taken back leaves no listener, but while the process stops its signals stay taken', async () => {
  const before = process.listenerCount('SIGTERM');
  const stopOnSignals = begin();
  stopOnSignals(work().stop)();
  expect(process.listenerCount('SIGTERM')).toBe(before);
  const { stop, end } = work();
  const takeBack = stopOnSignals(stop);
  send('SIGTERM');
  takeBack();
  send('SIGTERM');
  expect(process.listenerCount('SIGTERM')).toBe(before + 1);
  end();
  await settled();
  expect(exit.mock.calls).toEqual([[0]]);
});
