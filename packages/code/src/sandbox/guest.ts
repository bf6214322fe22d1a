/**
 * What runs before a program, inside of the sandbox. It is a text, because nothing of the server may be in there. It takes what
 * it needs of the language before the program can change it.
 *
 * Called with the function that begins a call, and the one that writes a log line.
 */
export const GUEST = `((begin, write) => {
  'use strict';
  const { Promise, Proxy, TypeError, Error, Object, Map, Array, Number, String, Math, Reflect } = globalThis;
  const { stringify, parse } = JSON;
  const { isFinite } = Number;
  const size = Reflect.getOwnPropertyDescriptor(Map.prototype, 'size').get;
  const getMap = Map.prototype.get, setMap = Map.prototype.set, deleteMap = Map.prototype.delete;
  const apply = Reflect.apply;
  const then = Promise.prototype.then;
  const AsyncFunction = (async () => {}).constructor;
  const plain = Object.prototype;
  const list = Array.prototype;
  const waiting = new Map();
  let number = 0;
  let end;

  // Where a value is, for an error: its holder is looked for from the outside in.
  const placeOf = (root, holder, key) => {
    if (key === '' && holder[''] === root) return '';
    const open = [[root, '']];
    const seen = new Set([root]);
    for (const [value, path] of open) {
      const pathTo = (name) => (Array.isArray(value) ? path + '[' + name + ']' : path === '' ? name : path + '.' + name);
      if (value === holder) return ' at "' + pathTo(key) + '"';
      for (const name of Object.keys(value)) {
        const part = value[name];
        if (typeof part !== 'object' || part === null || seen.has(part)) continue;
        seen.add(part);
        open.push([part, pathTo(name)]);
      }
    }
    return ' at "' + key + '"';
  };

  // What JSON would write as an empty object, and what helps.
  const lost = [
    [Promise, 'a promise', 'Put await in front of it.'],
    [Map, 'a Map', 'Make an object or an array of it.'],
    [Set, 'a Set', 'Make an array of it.'],
    [WeakMap, 'a WeakMap', 'JSON has no form for it.'],
    [WeakSet, 'a WeakSet', 'JSON has no form for it.'],
    [ArrayBuffer, 'an ArrayBuffer', 'Make an array of it.'],
    [RegExp, 'a regular expression', 'Make a text of it.'],
  ];

  // JSON drops functions in silence, and writes null for numbers that it cannot write.
  const toJson = (value, owner, has) => {
    const what = owner + ' ' + has;
    const text = stringify(value, function (key, each) {
      const kind = typeof each;
      if (kind === 'function' || kind === 'symbol' || kind === 'bigint')
        throw new TypeError(what + ' a ' + kind + placeOf(value, this, key) + ', which JSON has no form for.');
      if (kind === 'number' && !isFinite(each))
        throw new TypeError(what + ' ' + each + placeOf(value, this, key) + ', which JSON has no form for.');
      const given = this[key];
      if (typeof given !== 'object' || given === null) return each;
      const prototype = Reflect.getPrototypeOf(given);
      if (prototype === plain || prototype === list) return each;
      for (const [kept, name, advice] of lost)
        if (given instanceof kept) throw new TypeError(what + ' ' + name + placeOf(value, this, key) + '. ' + advice);
      if (typeof given.next === 'function')
        throw new TypeError(what + ' an iterator' + placeOf(value, this, key) + '. Make an array of it: [...iterator].');
      // An error has its text where JSON does not look.
      if (given instanceof Error && each === given) return { ...given, message: given.message };
      return each;
    });
    return text === undefined ? 'null' : text;
  };

  // The calls of tools, for what a program has forgotten: each says whether anybody has waited for it.
  const calls = [];
  let count = 0;
  const isAwaited = (call) => {
    call.isAwaited = true;
    return Promise;
  };
  let wentOn = false;

  const wait = (tool, ms, args) =>
    new Promise((resolve, reject) => {
      const n = ++number;
      apply(setMap, waiting, [n, { resolve, reject }]);
      begin(n, tool, ms, args);
    });

  const functions = Object.create(null);
  const functionOf = (name) =>
    (functions[name] ??= (...args) => {
      const call = { name, isAwaited: false, isLate: false, failure: undefined };
      const called = begun(call, args);
      // Everything that waits for a promise reads this first: await, then, Promise.all.
      Object.defineProperty(called, 'constructor', { get: () => isAwaited(call) });
      calls[count++] = call;
      return called;
    });
  const begun = async (call, [args, ...others]) => {
    const { name } = call;
    try {
      // The text of the name ends there for the host.
      if (name.includes('\\0')) throw new TypeError('No tool has such a name.');
      if (others.length > 0)
        throw new TypeError('Tools take one object with their arguments, such as tools.' + name + '({ id: 1 }).');
      const given = args === undefined ? {} : args;
      if (given instanceof Promise)
        throw new TypeError('The arguments are a promise. Put await in front of it.');
      if (typeof given !== 'object' || given === null || Array.isArray(given))
        throw new TypeError('Tools take an object with their arguments, such as tools.' + name + '({ id: 1 }).');
      return await wait(name, -1, toJson(given, 'The arguments', 'have'));
    } catch (error) {
      call.failure = asText(error?.message ?? error);
      throw error;
    } finally {
      call.isLate = end !== undefined;
    }
  };
  const refuse = () => {
    throw new TypeError('The tools cannot be changed.');
  };
  const tools = new Proxy(Object.freeze(Object.create(null)), {
    get: (_target, key) => (typeof key !== 'string' || key === 'then' ? undefined : functionOf(key)),
    has: (_target, key) => typeof key === 'string' && key !== 'then',
    ownKeys() {
      throw new TypeError('A program cannot list the tools. Find them with search_tools before you write it.');
    },
    set: refuse,
    deleteProperty: refuse,
    defineProperty: refuse,
    setPrototypeOf: refuse,
  });

  // The same in a log line, where nothing is an error.
  const shown = function (key, each) {
    const given = this[key];
    if (typeof given !== 'object' || given === null) return each;
    if (given instanceof Map || given instanceof Set) return Array.from(given);
    for (const [kept, name] of lost) if (given instanceof kept) return '[' + name + ']';
    return given instanceof Error ? String(given) : each;
  };
  const asText = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return String(value);
    try {
      return stringify(value, shown) ?? String(value);
    } catch {}
    try {
      return String(value);
    } catch {
      return 'a value that has no text';
    }
  };
  const log = (...values) => write(values.map(asText).join(' '));
  const sleep = (ms = 0) => {
    if (typeof ms !== 'number' || !(ms >= 0) || ms === Infinity) throw new TypeError('sleep takes milliseconds, such as sleep(500).');
    return wait('', ms, '');
  };

  // The numbers of a seed: the same in each run of a program.
  let state = 0;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = random;
  const give = (name, value) =>
    Object.defineProperty(globalThis, name, { value, writable: false, configurable: false, enumerable: false });
  give('tools', tools);
  give('sleep', sleep);
  const console = { assert: (is, ...values) => is || log('Assertion failed:', ...values) };
  for (const name of ['log', 'info', 'warn', 'error', 'debug', 'table', 'dir', 'trace', 'group']) console[name] = log;
  for (const name of ['groupEnd', 'time', 'timeEnd', 'timeLog', 'count', 'clear']) console[name] = () => {};
  give('console', Object.freeze(console));

  const failed = (thrown) => {
    try {
      end = endOf(thrown);
    } catch {
      end = ['error', 'The program threw a value that cannot be read.', ''];
    }
  };
  const endOf = (error) => {
    const isError = typeof error === 'object' && error !== null;
    const message = isError && typeof error.message === 'string' ? error.message : asText(error);
    const name = isError && typeof error.name === 'string' && error.name !== 'Error' ? error.name + ': ' : '';
    return ['error', name + message, isError && typeof error.stack === 'string' ? error.stack : ''];
  };
  const returned = (value) => {
    try {
      wentOn = apply(size, waiting, []) > 0;
      const json = toJson(value === undefined ? null : value, 'The result', 'has');
      end = ['result', json, '', value === undefined ? 'nothing' : ''];
    } catch (error) {
      failed(error);
    }
  };

  // A function of the program that its last line calls is the program: models forget the return in front of it.
  const resultOf = (source) => {
    const text = source.trimEnd();
    const start = text.lastIndexOf('\\n') + 1;
    const [, called, name] = /^\\s*((?:await\\s+)?([\\w$]+)\\(\\s*\\)(?:\\.(?:then|catch|finally)\\(.*\\))?);?$/.exec(text.slice(start)) ?? [];
    if (start === 0 || !(text.includes('function ' + name + '(') || text.includes(' ' + name + ' = '))) return source;
    const before = text.slice(0, start);
    try {
      new AsyncFunction(before);
      return before + 'return ' + called;
    } catch {
      return source;
    }
  };

  // The calls of which the program did not hear, the failed ones first. Each line ends with a sign that texts do not have, and is not empty.
  const forgotten = () => {
    let text = '';
    let named = 0;
    for (const isFailed of [true, false])
      for (let at = 0; at < count; at++) {
        const { name, isAwaited, isLate, failure } = calls[at];
        if ((failure !== undefined) !== isFailed || (isAwaited && !isLate)) continue;
        if (++named > 10) return text + 'The program did not wait for further calls.\\x01';
        text += (name.length > 64 ? 'A tool' : 'tools.' + name) + (isFailed ? unheardFailure(calls[at]) : unheard(isAwaited)) + '\\x01';
      }
    return text;
  };
  const unheard = (isAwaited) =>
    isAwaited
      ? ' ended after the program had returned: write await in front of what waits for it.'
      : ' was not awaited: write await in front of it.';
  // A text is said whole or not at all: a part of a secret is not known as one.
  const unheardFailure = ({ isAwaited, failure }) =>
    ' was not awaited, and failed' + (isAwaited ? ' after the program had returned' : '') + (failure.length > 1000 ? '.' : ': ' + failure);

  return {
    run(source, seed) {
      state = seed | 0;
      let main;
      // One expression is its value, and a function is called: models write both in place of a body.
      try {
        const valueOf = new AsyncFunction('return (' + source.replace(/;\\s*$/, '') + '\\n)');
        main = async () => {
          const value = await valueOf();
          if (typeof value !== 'function') return value;
          if (value.length > 0)
            throw new TypeError('A program gets no arguments: leave the parameters out. tools is there without them.');
          return value();
        };
      } catch {}
      try {
        main ??= new AsyncFunction(resultOf(source));
        // Also a function that is not async may return a promise.
        apply(then, (async () => main())(), [returned, failed]);
      } catch (error) {
        failed(error);
      }
    },
    deliver(n, isValue, text) {
      const waits = apply(getMap, waiting, [n]);
      if (waits === undefined) return;
      apply(deleteMap, waiting, [n]);
      if (isValue) return waits.resolve(text === '' ? undefined : parse(text));
      const { message, code, retryAfterMs } = parse(text);
      const error = new Error(message);
      if (code !== undefined) error.code = code;
      if (retryAfterMs !== undefined) error.retryAfterMs = retryAfterMs;
      waits.reject(error);
    },
    // Parts, and each a text: a program may change how objects are written as JSON.
    ended: (part) => end[part],
    forgotten() {
      try {
        return forgotten();
      } catch {
        return '';
      }
    },
    wentOn: () => wentOn,
    // How many waits are open, or -1 when the program is over.
    state: () => (end === undefined ? apply(size, waiting, []) : -1),
  };
})`;
