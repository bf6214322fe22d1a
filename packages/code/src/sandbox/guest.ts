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
  const waiting = new Map();
  let number = 0;
  let end;

  // JSON drops functions in silence, and writes null for numbers that it cannot write.
  const toJson = (value, what) => {
    const text = stringify(value, function (key, each) {
      const kind = typeof each;
      const given = this[key];
      if (kind === 'function' || kind === 'symbol' || kind === 'bigint')
        throw new TypeError(what + ' has a ' + kind + (key === '' ? '' : ' at "' + key + '"') + ', which JSON has no form for.');
      if (kind === 'number' && !isFinite(each))
        throw new TypeError(what + ' has ' + each + (key === '' ? '' : ' at "' + key + '"') + ', which JSON has no form for.');
      if (given instanceof Map || given instanceof Set)
        throw new TypeError(what + ' has a Map or a Set' + (key === '' ? '' : ' at "' + key + '"') + '. Make an object or an array of it.');
      return each;
    });
    return text === undefined ? 'null' : text;
  };

  const wait = (tool, ms, args) =>
    new Promise((resolve, reject) => {
      const n = ++number;
      apply(setMap, waiting, [n, { resolve, reject }]);
      begin(n, tool, ms, args);
    });

  const functions = Object.create(null);
  const functionOf = (name) =>
    (functions[name] ??= async (args, ...others) => {
      // The text of the name ends there for the host.
      if (name.includes('\\0')) throw new TypeError('No tool has such a name.');
      if (others.length > 0)
        throw new TypeError('Tools take one object with their arguments, such as tools.' + name + '({ id: 1 }).');
      const given = args === undefined ? {} : args;
      if (typeof given !== 'object' || given === null || Array.isArray(given))
        throw new TypeError('Tools take an object with their arguments, such as tools.' + name + '({ id: 1 }).');
      return wait(name, -1, toJson(given, 'The arguments'));
    });
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

  const asText = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return String(value);
    try {
      return stringify(value) ?? String(value);
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
      end = ['result', toJson(value === undefined ? null : value, 'The result'), ''];
    } catch (error) {
      failed(error);
    }
  };

  // A function of the program that its last line calls is the program: models forget the return in front of it.
  const resultOf = (source) => {
    const text = source.trimEnd();
    const start = text.lastIndexOf('\\n') + 1;
    const [, called, name] = /^\\s*((?:await\\s+)?([\\w$]+)\\(\\s*\\));?$/.exec(text.slice(start)) ?? [];
    if (start === 0 || !(text.includes('function ' + name + '(') || text.includes(' ' + name + ' = '))) return source;
    const before = text.slice(0, start);
    try {
      new AsyncFunction(before);
      return before + 'return ' + called;
    } catch {
      return source;
    }
  };

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
    // How many waits are open, or -1 when the program is over.
    state: () => (end === undefined ? apply(size, waiting, []) : -1),
  };
})`;
