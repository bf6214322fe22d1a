import { parseArgs } from 'node:util';
import { contestants, type Contestant } from './contestants/catalogue.js';
import { workloads } from './workloads/catalogue.js';
import type { Workload } from './workloads/workload.js';

export interface Options {
  workloads: Workload[];
  contestants: Contestant[];
  /** As `findNodes` takes them. */
  nodes: string[];
  warmUps: number;
  rounds: number;
  seconds: number;
  sessions: number;
  streams: number;
  /** `wrk`, `autocannon`, or undefined for wrk when it is there. */
  load: string | undefined;
  /** Measure what is published, and write the figures and the chart into docs/. */
  publish: boolean;
  /** A short run on a machine that may have other work: the ratios of CPU time are printed. */
  quick: boolean;
  /** The contestants were named on the command line. */
  named: boolean;
}

/** V8 compiles for some ten seconds of load, on the core that answers, and longer where there is more code. */
const USUAL = { warmUps: 8, rounds: 7, seconds: 2, sessions: 10_000, streams: 1_000 };
/** As much as fits into the time that a machine is idle. */
const PUBLISHING = { warmUps: 3, rounds: 4, seconds: 1, sessions: 3_000, streams: 500 };
/** Short rounds in turn: on a machine that does other work, too, only the ratios of their CPU time say something. */
const QUICK = { warmUps: 2, rounds: 5, seconds: 1, sessions: 200, streams: 100 };
/** What users ask, and what an answer costs beside the plain server. */
const QUICK_WORKLOADS = 'call-usual,call-usual-15,call-10,large-argument,large-result,cold-start-10';
const QUICK_CONTESTANTS = 'express-json,toolwright-express';

export const USAGE = `pnpm bench [options]
  --workloads a,b     ${workloads.map(({ name }) => name).join(', ')}
  --contestants a,b   ${contestants.map(({ name }) => name).join(', ')}
  --nodes a,b         current, 24 or paths of binaries; default: current,24
  --rounds n          counted rounds of each workload; default 7
  --seconds n         length of a run of load; default 2
  --load name         wrk or autocannon; default: wrk where it is installed
  --quick             the ratios that users ask for, in ${QUICK.rounds} short rounds: ${QUICK_WORKLOADS}
                      of ${QUICK_CONTESTANTS}; compare the CPU there, also on a machine with other work
  --publish           what is published, in about 25 minutes: ${PUBLISHING.rounds} rounds of ${PUBLISHING.seconds} s, and of the contestants those
                      that the documentation names; writes docs/benchmarks.json and docs/benchmarks.svg`;

/** @throws {Error} an unknown option, workload or contestant */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      workloads: { type: 'string' },
      contestants: { type: 'string' },
      nodes: { type: 'string', default: 'current,24' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      load: { type: 'string' },
      quick: { type: 'boolean', default: false },
      publish: { type: 'boolean', default: false },
    },
  });
  const usual = values.quick ? QUICK : values.publish ? PUBLISHING : USUAL;
  return {
    ...usual,
    rounds: atLeastOne(values.rounds) ?? usual.rounds,
    seconds: atLeastOne(values.seconds) ?? usual.seconds,
    workloads: pick(workloads, values.workloads ?? (values.quick ? QUICK_WORKLOADS : undefined)),
    contestants: pick(contestants, values.contestants ?? (values.quick ? QUICK_CONTESTANTS : undefined)),
    quick: values.quick,
    nodes: values.nodes.split(','),
    load: values.load,
    publish: values.publish,
    named: values.contestants !== undefined,
  };
}

function pick<T extends { name: string }>(all: T[], names: string | undefined): T[] {
  if (names === undefined) return all;
  return names.split(',').map((name) => {
    const found = all.find((one) => one.name === name);
    if (!found) throw new Error(`unknown name "${name}"; known: ${all.map((one) => one.name).join(', ')}`);
    return found;
  });
}

function atLeastOne(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`"${text}" is not a whole number from 1`);
  return value;
}
