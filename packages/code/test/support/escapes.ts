/** Values that a program holds, each a way to something outside if the sandbox had one. */
const values = [
  'tools', 'tools.echo', 'console', 'console.log', 'sleep', 'sleep(0)', 'tools.echo({})', 'await tools.echo({ a: 1 })', 'Promise', 'Math.random',
  'Error', 'new Error("x")', '(await tools.bad({}).catch((error) => error))', '(await tools.nothing({}).catch((error) => error))', '[]', '""', '(() => {})',
  '(async () => {})', '(function* () {})', '(async function* () {})', 'globalThis', 'new Proxy({}, {})', 'Symbol.iterator', 'new Map()', 'JSON', 'Reflect', 'new Date()',
];
/** What reached the host in other sandboxes. Each gives a text if it works. */
const reaches = [
  'x.constructor.constructor("return typeof process")()',
  'x.constructor.constructor("return typeof require")()',
  'Object.getPrototypeOf(Object.getPrototypeOf(x) ?? {})?.constructor?.constructor?.("return typeof process")()',
  '(x.__proto__ ?? {}).constructor.constructor("return typeof globalThis.process")()',
  'x.constructor("return typeof process").call?.(null)?.call?.(null)',
];

/** Public advisories on sandboxes (vm2, isolated-vm, quickjs, safe-eval, notevil, static-eval, realms), as what they tried. */
const known = [
  'Error.prepareStackTrace = (_e, frames) => frames.map((f) => f.getThis?.()?.process); return typeof new Error().stack',
  'Error.stackTraceLimit = Infinity; const e = new Error(); e.name = Symbol(); try { e.stack } catch (x) { return typeof x.constructor.constructor("return process") } return "function"',
  'const e = { get message() { return globalThis.process }, get stack() { return globalThis.process } }; throw e',
  'Promise.prototype.then = function (f) { return globalThis.process }; return typeof (await tools.echo({}))',
  'Promise = class extends Promise { static get [Symbol.species]() { return function (f) { f(() => {}, () => {}) } } }; return typeof (await tools.echo({}))',
  'Object.prototype.then = function (r) { r(typeof process) }; return await tools.echo({})',
  'Object.prototype.toJSON = () => ({ escaped: typeof process }); return {}',
  'Array.prototype.toJSON = () => 1; String.prototype.toJSON = () => 2; return ["x"]',
  'JSON.stringify = () => "{\\"forged\\":true}"; return { a: 1 }',
  'JSON.parse = (text) => { throw text }; return await tools.echo({ a: 1 })',
  'Map.prototype.get = () => ({ resolve: 1 }); return await tools.echo({})',
  'Reflect.apply = () => { throw 1 }; Function.prototype.call = null; Function.prototype.apply = null; return await tools.echo({})',
  'Object.defineProperty(globalThis, "tools", { value: 1 })',
  'delete globalThis.tools; return typeof tools',
  'tools.echo = 1', 'Object.setPrototypeOf(tools, {})', 'Object.defineProperty(tools, "x", { value: 1 })', 'delete tools.echo',
  'return Object.keys(tools)', 'return Object.getOwnPropertyNames(Object.getPrototypeOf(tools) ?? {})',
  'return [typeof WebAssembly, typeof SharedArrayBuffer, typeof Atomics, typeof Worker, typeof fetch, typeof XMLHttpRequest]',
  'return [typeof setTimeout, typeof setInterval, typeof setImmediate, typeof queueMicrotask]',
  'return [typeof module, typeof exports, typeof __dirname, typeof Buffer, typeof global, typeof Deno, typeof Bun]',
  'return [typeof std, typeof os, typeof scriptArgs, typeof print, typeof loadScript, typeof bjson]',
  'return (await import("node:fs")).readFileSync("/etc/passwd", "utf8")', 'return (await import("std")).loadFile("/etc/passwd")', 'return (await import("os")).exec(["id"])',
  'return import.meta.url', 'import fs from "fs"', 'export default 1',
  'return eval("typeof process")', 'return (0, eval)("typeof require")', 'return new Function("return typeof process")()',
  'return Function("return this")().process ?? "none"', 'return (async () => {}).constructor("return typeof process")()',
  'return (function* () {}).constructor("yield typeof process")().next().value',
  'with ({ a: 1 }) { return a }', 'return arguments.callee.caller?.name ?? "none"', 'return (function f() { return f.caller })()?.name ?? "none"',
  'return this === undefined ? "none" : typeof this.process', 'return globalThis[Symbol.for("nodejs.util.inspect.custom")] ?? "none"',
  'class A extends Function { constructor() { super("return typeof process") } } return new A()()',
  'return new Proxy(tools.echo, { apply: (t) => t.caller?.name ?? "none" })()', 'return Reflect.construct(Function, ["return typeof process"])()',
  'return Reflect.getPrototypeOf(tools.echo).constructor("return typeof process")()',
  'const { constructor } = tools.echo; return constructor("return typeof process")() instanceof Promise ? "none" : "none"',
  'Object.defineProperty(Object.prototype, "number", { get() { return 999 }, configurable: true }); return await tools.echo({})',
  'Object.defineProperty(Object.prototype, "value", { get() { return "forged" }, configurable: true }); return await tools.echo({})',
  'Object.prototype.code = "forged"; return (await tools.bad({}).catch((e) => e)).code ?? "none"',
  'tools.echo({ toJSON() { return { forged: 1 } } }); return await tools.echo({ toJSON: undefined })',
  'return await tools.echo({ ["__proto__"]: { a: 1 } })', 'return await tools.echo(JSON.parse(`{"__proto__":{"a":1},"constructor":{"prototype":1}}`))',
  'return await tools["__proto__"]({})', 'return await tools["constructor"]({})', 'return await tools["toString"]({})', 'return await tools[""]({})', 'return await tools["\\u0000"]({})',
  'return await tools[Symbol.toPrimitive]({})', 'return `${tools}`', 'return tools + ""', 'return JSON.stringify(tools)', 'for (const t in tools) return t; return "none"',
  'return await tools.echo.call({ process: 1 }, {})', 'return await tools.echo(...[{}, {}])', 'return await new tools.echo({})', 'return await tools.echo(new Proxy({}, { ownKeys() { throw 1 } }))',
  'return await tools.echo({ get a() { throw new Error("trap") } })', 'const a = {}; a.a = a; return await tools.echo(a)', 'return await tools.echo({ a: 1n })', 'return await tools.echo({ a: () => 1 })',
  'console.log = 1', 'console.log(new Proxy({}, { get() { throw 1 } })); return 1', 'console.log({ toJSON() { throw 1 } }); return 1', 'console.log(Symbol("x")); return 1', 'console.log(Object.create(null)); return 1',
  'await sleep(-1)', 'await sleep(NaN)', 'await sleep("1")', 'await sleep(Infinity)', 'await sleep(1e9)', 'await sleep({ valueOf() { return 1 } })',
  'throw undefined', 'throw null', 'throw Symbol("x")', 'throw 1n', 'throw () => {}', 'throw new Proxy({}, { get() { throw 1 } })', 'throw { toString() { throw 1 } }', 'return Promise.reject(1)',
  'return new Promise((_, no) => no(new Error("x")))', 'return { then(r) { r(typeof process) } }', 'return { then: 1 }', 'return { then() { throw new Error("x") } }',
  'return Symbol("x")', 'return 1n', 'return NaN', 'return [undefined]', 'return new Map([[1, 2]])', 'return /x/', 'return new Error("x")', 'return new Uint8Array(3)', 'return Object.create(null)', 'return [,1]', 'return "\\ud800"',
  'return new Date(NaN)', 'return new Date(0).getTimezoneOffset()', 'return Intl', 'return new Date(2020, 6, 1).toString()', 'debugger; return 1', '}); process.exit(1); (async () => {', '}', '/*', '`${', 'return 1 //', 'return 1\n}\n{', '#!/usr/bin/env node\nreturn 1', '\u2028return 1',
  '() => 1', 'async () => tools', '(function () { return 1 })', 'class A {}', '(1, 2)', 'await', 'yield 1', 'let let = 1', 'var x; return typeof x', 'return new.target === undefined', 'super.x', 'return delete Math.random', 'Math.random = () => 4; return Math.random()', 'Date.now = () => 1; return Date.now()', 'return Object.isFrozen(console)',
];

/**
 * What was reported of sandboxes and of the interpreter itself from 2023 on. Code that confuses the memory of the interpreter stays
 * inside of its WebAssembly: at worst, its program ends with an error.
 */
const reported = [
  // Values that came from the host: suppressed errors, getters by name, inspection, species of promises and arrays.
  'const e = new Error(); e.name = Symbol("x"); const f = async () => e.stack; const p = f(); p.constructor = { [Symbol.species]: class { constructor(run) { run((x) => x, (x) => x.constructor.constructor("return process")()) } } }; try { return typeof p.then() } catch { return "none" }',
  'const g = Object.prototype.__lookupGetter__("__proto__"); return typeof g.call(tools)?.constructor?.constructor?.("return process")',
  'return typeof Buffer?.from', 'return typeof globalThis.__proto__.constructor.constructor("return globalThis.process")()',
  'const r = { r: [] }; r.r.constructor = { [Symbol.species]: function () { return r } }; try { return typeof [].concat.call(r.r, [1]).process } catch { return "none" }',
  'const o = { [Symbol.for("nodejs.util.inspect.custom")](d, o, inspect) { return inspect } }; console.log(o); return "none"',
  'class X extends Array { static get [Symbol.species]() { return tools.echo } } try { return typeof new X(1, 2).map((x) => x).process } catch { return "none" }',
  'try { await (async function* () { yield* { [Symbol.asyncIterator]: () => ({ next: (v) => ({ done: false, value: v }), return: 1 }) } })().return(tools) } catch { return "none" }',
  'try { null.x } catch (e) { return typeof e.constructor.constructor("return this.process")() }',
  'try { (function f() { f() })() } catch (e) { return typeof e.constructor.constructor("return this.process")() }',
  'const e = new AggregateError([tools], "x", { cause: globalThis }); throw e', 'throw new Error("x", { cause: new Proxy({}, { get() { throw 1 } }) })',
  'return typeof new (class extends (async () => {}).constructor { })("return this.process")', 'return Reflect.ownKeys(globalThis).filter((k) => /process|require|module/.test(String(k))).join() || "none"',
  'const r = new FinalizationRegistry((held) => held.constructor.constructor("return process")()); r.register({}, () => {}); for (let i = 0; i < 1e4; i++) ({ i }); return "none"',
  'const w = new WeakRef(tools); return typeof w.deref().then', 'return await tools.echo({ __proto__: { a: 1 }, then: 1 })',
  'JSON.rawJSON?.("1"); return typeof JSON.rawJSON', 'return await Array.fromAsync?.([tools.echo({ a: 1 })]) ?? "none"', 'return Promise.try?.(() => 1) ?? "none"',
  'Function.prototype[Symbol.hasInstance] ?? 1; return Object.getOwnPropertyDescriptor(globalThis, "tools").writable',
  'const t = tools.echo; t.constructor.prototype.apply = () => process; return await t({})', 'return tools.echo.toString().includes("native") ? "none" : "none"',
  // The memory of the interpreter: freed or moved while code of the program runs in the middle of an operation.
  'let it; const evil = { [Symbol.iterator]() { it.return(); return [][Symbol.iterator]() } }; it = Iterator.concat(evil); it.next(); return 1',
  'let it; const evil = { [Symbol.iterator]: () => ({ get next() { it.return(); return () => ({ done: true }) } }) }; it = Iterator.concat(evil, [1]); it.next(); return 1',
  'const ab = new ArrayBuffer(10, { maxByteLength: 10 }); const f = (function () {}).bind(); Object.defineProperty(f, "prototype", { get: () => ab.resize(0) }); return Reflect.construct(Uint8Array, [ab], f).length',
  'const ab = new ArrayBuffer(64, { maxByteLength: 1e6 }); const t = new Int32Array(ab); return [...t.with(0, { valueOf() { ab.resize(4); return 1 } })].length',
  'const ab = new ArrayBuffer(64, { maxByteLength: 1e6 }); const t = new Int32Array(ab); t.fill({ valueOf() { ab.resize(0); return 7 } }); return t.length',
  'const ab = new ArrayBuffer(64, { maxByteLength: 1e6 }); const v = new DataView(ab); v.setInt32(60, { valueOf() { ab.resize(4); return 1 } }); return 1',
  'const a = [1, 2, 3]; a.sort(() => { a.length = 0; a.push(...Array(100).fill({})); return 1 }); return a.length',
  'const a = Array(100).fill(1); return a.concat({ length: 2 ** 31, [Symbol.isConcatSpreadable]: true, get 0() { a.length = 0; return 1 } }).length > 0',
  'const m = new Map([[1, 1], [2, 2]]); m.forEach((_v, k) => { m.clear(); for (let i = 0; i < 50 && k < 3; i++) m.set(i + 9, i) }); return m.size',
  'const w = new WeakMap(); let k = {}; w.set(k, w); k = undefined; for (let i = 0; i < 1e4; i++) w.set({}, w); return 1',
  'const b = new ArrayBuffer(8); const t = new Uint8Array(b); b.transfer?.(); return t[0] ?? "none"', 'const r = /a/g; r.lastIndex = { valueOf() { r.compile("(".repeat(9) + ")".repeat(9)); return 0 } }; return r.exec("aaa")?.length ?? "none"',
  'const g = (function* () { try { yield 1 } finally { g.return() } })(); g.next(); try { g.return() } catch {} return 1', 'return "x".replace(/x/, { toString() { return tools } })',
  'const p = new Proxy([], { getOwnPropertyDescriptor: () => ({ value: 1, configurable: true }), ownKeys: () => ["length", "a"] }); return Object.keys(p).length', 'return String.raw({ raw: { length: 3, get 0() { return Symbol.iterator.description } } })',
  'class A { static #p = 1; static t(o) { return #p in o } } return A.t(A)', 'label: { break label } return (() => { try { return 1 } finally { } })()',
];

/** What would stop a server if its limits were not those of the sandbox. */
export const bombs = [
  'for (;;) {}', 'while (1) await 0', 'for (;;) await null', 'const f = () => Promise.resolve().then(f); return await f()', '(function f() { Promise.resolve().then(f) })(); await new Promise(() => {})',
  'const f = () => f(); f()', 'const f = (a) => [f(a)]; return f(1)', 'return "x".repeat(2 ** 29)', 'let s = "x"; for (;;) s += s', 'const a = []; for (;;) a.push(a.slice())', 'return new Array(2 ** 32 - 1).fill(0)', 'return Array.from({ length: 1e9 })',
  'return new Uint8Array(2 ** 31)', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, i)', 'return 2n ** (2n ** 40n)', 'let n = 3n; for (;;) n *= n', 'return /(a+)+$/.test("a".repeat(50) + "!")', 'return /(.*)*x/.exec("y".repeat(40))', 'return "a".repeat(1e6).replace(/(a|a)*b/g, "")',
  'return JSON.parse("[".repeat(1e6))', 'let o = {}; for (let i = 0; i < 1e6; i++) o = { o }; return o', 'return [3, 2, 1].sort(() => { for (;;); })', 'const g = (function* () { for (;;) yield 1 })(); return [...g]', 'return new Proxy({}, { get: (_t, _k, r) => r.x }).x', 'return { toJSON() { for (;;); } }',
  'console.log("x".repeat(1e6))', 'for (;;) console.log("x")', 'return "x".repeat(5e6)', 'return await tools.echo({ a: "x".repeat(5e6) })', 'for (;;) await tools.echo({})', 'await Promise.all(Array.from({ length: 1e4 }, () => tools.echo({})))', 'for (;;) tools.echo({})', 'await Promise.all(Array.from({ length: 1e5 }, () => sleep(1)))',
  'try { for (;;) {} } finally { for (;;) {} }', 'for (;;) try { for (;;) {} } catch {}', 'for (;;) try { null.x } catch {}', 'return eval("(".repeat(1e5))', 'return new Function("a".repeat(1e6))()', 'return Function(...Array(1e5).fill("a"))', 'return "x".padEnd(2 ** 28).split("")', 'return Object.fromEntries(Array.from({ length: 1e7 }, (_, i) => [i, i]))', 'return [..."x".repeat(1e8)]', 'const a = [1]; for (const x of a) a.push(x)', 'return Array(1e7).join("x").localeCompare("y")', 'return "\\u0344".repeat(1e7).normalize("NFKD")',
];

export const escapes = [...values.flatMap((value) => reaches.map((reach) => `const x = ${value}; return ${reach}`)), ...known, ...reported];
