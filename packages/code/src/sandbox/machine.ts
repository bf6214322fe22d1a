import { cutText, reasonOf } from '@toolwright/json';
import { constants, platform, setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { adviceFor, hintFor } from './advice.js';
import { GUEST } from './guest.js';
import {
  type AskedCall,
  type End,
  type ProgramLimit,
  type Order,
  type SandboxLimits,
  type StartOrder,
  type ProgramTurn,
  DEEPEST,
} from './messages.js';
import { processorTime } from './processor-time.js';
import type { RoomCounters } from './pages.js';
import { plainCode } from './types.js';

/** The stack of a program, in bytes. Deeper recursion is an error that it may catch. */
const STACK = 512 * 1024;

/** A turn that has taken this long, in milliseconds, is looked at: most are over before. */
const LOOKS = 5;

/** What the server knows of each other limit belongs to a program, and the memory of WebAssembly to this thread. */
export interface ThreadState {
  /** The most bytes that the memory may grow to. */
  mostBytes: number;
  /** Which limit kept it from growing. */
  full: 'memory' | 'room' | undefined;
  /** Where the memory of the program is counted. */
  room: RoomCounters | undefined;
  /** How long a program works without a pause until others come first, in milliseconds. */
  patience: number;
  /** Whether it has the lowest priority. */
  isTired: boolean;
  /** Whether it has grown. It never gets smaller. */
  hasGrown: boolean;
  /** What the clock of the language shows. */
  now: number;
}

/**
 * Gives the thread the lowest priority: the requests of other callers come first from now on. Only Linux has a priority for each thread;
 * elsewhere it would be that of the process. The thread cannot get it back, so it runs no other program.
 */
function yieldsToOthers(): boolean {
  if (platform() !== 'linux') return false;
  setPriority(constants.priority.PRIORITY_LOW);
  return true;
}

/** One program in an interpreter of its own. It is made before there is a program: that takes longer than most programs do. */
export class ProgramMachine {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #methods = new Map<string, QuickJSHandle>();
  #deadline = 0;
  /** When it is looked again at how long the turn has had a processor, and what that was at first. */
  #looks = Number.POSITIVE_INFINITY;
  #usedFirst: number | undefined;
  #isLate = false;
  #logged = 0;
  #asked: AskedCall[] = [];
  #logs: string[] = [];
  #broken: ProgramLimit | undefined;
  #limits: SandboxLimits = { memory: Number.POSITIVE_INFINITY, result: 0, logs: 0 };
  /** Its code, as the language takes it. */
  #code = '';

  constructor(
    module: QuickJSWASMModule,
    private readonly thread: ThreadState,
  ) {
    this.#runtime = module.newRuntime();
    this.#runtime.setMaxStackSize(STACK);
    this.#runtime.setInterruptHandler(() => this.#mustStop());
    const vm = this.#runtime.newContext();
    this.#context = vm;
    const begin = vm.newFunction('begin', (number, tool, ms, args) => {
      const pause = vm.getNumber(ms);
      const asked = { number: vm.getNumber(number), args: vm.getString(args) };
      const broken = this.#brokenBy(asked.args);
      if (broken) this.#broken ??= broken;
      else this.#asked.push(pause >= 0 ? { ...asked, sleep: pause } : { ...asked, tool: vm.getString(tool) });
    });
    const write = vm.newFunction('write', (line) => {
      const text = vm.getString(line);
      // An answer has each line in quotation marks, with a comma.
      this.#logged += Buffer.byteLength(text) + 3;
      if (this.#logged > this.#limits.logs) this.#broken ??= 'logs';
      else this.#logs.push(text);
    });
    this.#deadline = performance.now() + 1_000;
    const make = vm.unwrapResult(vm.evalCode(GUEST, 'sandbox'));
    const guest = vm.unwrapResult(vm.callFunction(make, vm.undefined, begin, write));
    for (const name of ['run', 'deliver', 'state', 'ended', 'forgotten', 'wentOn'])
      this.#methods.set(name, vm.getProp(guest, name));
  }

  /** Lets the program work until it has nothing left to do. */
  turn(order: Order): ProgramTurn {
    const began = performance.now();
    this.#deadline = began + order.ms;
    this.#looks = began + LOOKS;
    this.#usedFirst = undefined;
    if ('start' in order) {
      this.#limits = order.start.limits;
      this.thread.room = order.start.room;
    }
    this.thread.now = order.now;
    this.thread.mostBytes = this.#limits.memory;
    [this.#asked, this.#logs] = [[], []];
    const end = this.#run(order);
    const turn = {
      asked: this.#asked,
      logs: this.#logs,
      ms: performance.now() - began,
      hasGrown: this.thread.hasGrown,
      isTired: this.thread.isTired,
    };
    return end ? { ...turn, end } : turn;
  }

  #run(order: Order): End | undefined {
    try {
      if ('start' in order) this.#begin(order.start);
      else this.#deliver(order.deliver);
      // An error of a job is that of its promise, and the program's.
      this.#runtime.executePendingJobs().dispose();
    } catch (error) {
      return this.#limit() ?? { kind: 'error', message: messageOf(error) };
    }
    return this.#limit() ?? this.#end();
  }

  #begin({ code, seed }: StartOrder['start']): void {
    const vm = this.#context;
    this.#code = plainCode(code);
    this.#call('run', vm.newString(this.#code), vm.newNumber(seed)).dispose();
  }

  #deliver({ number, value, error }: Extract<Order, { deliver: unknown }>['deliver']): void {
    const vm = this.#context;
    const text = error ? JSON.stringify(error) : (value ?? '');
    this.#call('deliver', vm.newNumber(number), error ? vm.false : vm.true, vm.newString(text)).dispose();
  }

  /** What is kept here counts for the memory of the program, so the arguments are given back. */
  #call(method: string, ...args: QuickJSHandle[]): QuickJSHandle {
    const vm = this.#context;
    try {
      return vm.unwrapResult(vm.callFunction(this.#methods.get(method)!, vm.undefined, ...args));
    } finally {
      for (const arg of args) arg.dispose();
    }
  }

  #mustStop(): boolean {
    const now = performance.now();
    if (now > this.#looks && !this.thread.isTired) this.#look(now);
    if (!this.#isLate) this.#isLate = now > this.#deadline;
    return this.#isLate || this.thread.full !== undefined || this.#broken !== undefined;
  }

  /** Others come first when it has had a processor for long. The time that passes is more on a busy machine. */
  #look(now: number): void {
    const used = processorTime() ?? now;
    this.#usedFirst ??= used;
    const left = this.thread.patience - (used - this.#usedFirst);
    if (left <= 0) this.thread.isTired = yieldsToOthers();
    // It cannot use more than the time that passes. Looking takes some microseconds.
    this.#looks = now + Math.max(left, LOOKS);
  }

  /** A limit counts also if the program went on after it. */
  #limit(): End | undefined {
    if (this.thread.full) return { kind: 'limit', limit: this.thread.full };
    if (this.#isLate) return { kind: 'limit', limit: 'time' };
    return this.#broken && { kind: 'limit', limit: this.#broken };
  }

  #end(): End | undefined {
    const state = this.#context.getNumber(this.#call('state'));
    if (state > 0) return undefined;
    if (state === 0) return { kind: 'stuck' };
    const text = this.#ended(1);
    if (this.#ended(0) === 'error') {
      const message = cutText(text, this.#limits.logs, ' … [cut]') + adviceFor(text, this.#code);
      return { kind: 'error', message, ...lineOf(this.#ended(2)) };
    }
    const limit = this.#brokenBy(text);
    return limit ? { kind: 'limit', limit } : { kind: 'result', json: text, notes: this.#notes() };
  }

  /** What its author must know of a program that has ended well. */
  #notes(): string[] {
    const notes = this.#textOf('forgotten').split('\x01').slice(0, -1);
    if (this.#logged > 0 || notes.length > 0 || this.#ended(3) === '') return notes;
    const wentOn = this.#call('wentOn').consume((is) => this.#context.dump(is) as boolean);
    return [...notes, ...hintFor(this.#code, wentOn)];
  }

  /** Which limit a value breaks that the program gives away. */
  #brokenBy(json: string): ProgramLimit | undefined {
    if (Buffer.byteLength(json) > this.#limits.result) return 'result';
    return isTooDeep(json) ? 'nesting' : undefined;
  }

  #ended(part: number): string {
    return this.#textOf('ended', this.#context.newNumber(part));
  }

  #textOf(method: string, ...args: QuickJSHandle[]): string {
    return this.#call(method, ...args).consume((text) => this.#context.getString(text));
  }
}

/** An error that the interpreter itself throws. */
function messageOf(error: unknown): string {
  // The stack of the thread ended before that of the interpreter, which can then not go on.
  if (error instanceof RangeError && error.message.includes('call stack'))
    return 'The code of the program, or a text that it evaluates, is nested too deeply';
  return reasonOf(error);
}

/** The first line of the stack that is in the program. The function around it has two lines before the code. */
function lineOf(stack: string): { line?: number } {
  const [, line] = /<input>:(\d+)/.exec(stack) ?? [];
  const own = Number(line) - 2;
  return own > 0 ? { line: own } : {};
}

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, QUOTE, BACKSLASH] = Buffer.from('{}[]"\\');

/** Whether a text of JSON is nested too deeply for what goes over values level by level. */
function isTooDeep(json: string): boolean {
  // Each level has two characters at least.
  if (json.length < 2 * DEEPEST) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (isText && code === BACKSLASH) at++;
    else if (code === QUOTE) isText = !isText;
    else if (isText) continue;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (++depth > DEEPEST) return true;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
  }
  return false;
}
