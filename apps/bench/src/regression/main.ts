import { parseArgs } from 'node:util';
import { contestants } from '../contestants/catalogue.js';
import { generateOnce } from '../generate/generate.js';
import { chooseLoad } from '../load/choose-load.js';
import { cleanUpAtExit } from '../processes/clean-up.js';
import { splitCores } from '../processes/cores.js';
import { workloads } from '../workloads/catalogue.js';
import type { Run } from '../workloads/workload.js';
import { BaseTree, findBase } from './base-tree.js';
import { BLOCKS, compare, percent, type Question } from './compare.js';
import { judge, SIGNIFICANT, TOLERATED } from './verdict.js';

/** The thinnest transport: the share of our own code in a call is largest, and so is the share of what it loses. */
const CONTESTANT = 'toolwright-http';
/** The first is what users have. The others show the bare cost of a call and of a result. */
const WORKLOADS = ['call-usual', 'call-10', 'call-object'];

async function guard(ref: string, blocks: number): Promise<void> {
  const commit = findBase(ref);
  if (!commit) {
    console.log(`The merge base with ${ref} is HEAD itself: there is nothing to compare.`);
    return;
  }
  console.error(`Building ${commit.slice(0, 8)}, the merge base with ${ref}`);
  const tree = BaseTree.build(commit);
  process.once('exit', () => tree.remove());
  const run: Run = {
    place: { node: process.execPath, cores: splitCores() },
    load: chooseLoad(),
    warmUps: 3,
    rounds: 0,
    seconds: 1,
    sessions: 0,
    streams: 0,
    generated: generateOnce(),
    log: (line) => console.error(line),
  };
  const pair = {
    head: run,
    base: {
      ...run,
      place: { ...run.place, app: tree.app },
      generated: (tools: number) => tree.generate(tools),
    },
  };
  const slower: string[] = [];
  const known = tree.workloads();
  for (const question of questions()) {
    const { title, name } = question.workload;
    if (!known.has(name)) {
      console.log(`${title}: not compared, because ${commit.slice(0, 8)} does not measure it`);
      continue;
    }
    console.error(title);
    const { slowdown, chance, failed } = judge(await compare(question, pair, blocks));
    console.log(`${title}: ${percent(1 + slowdown)} CPU per call (p = ${chance.toPrecision(2)})`);
    if (failed) slower.push(title);
  }
  if (slower.length > 0) {
    const limits = `more than ${TOLERATED * 100} %, with p below ${SIGNIFICANT}`;
    throw new Error(`Calls cost more CPU than on ${commit.slice(0, 8)} (${limits}): ${slower.join('; ')}`);
  }
}

function questions(): Question[] {
  const contestant = contestants.find(({ name }) => name === CONTESTANT)!;
  return WORKLOADS.map((wanted) => ({
    workload: workloads.find(({ name }) => name === wanted)!,
    contestant,
  }));
}

async function run(): Promise<void> {
  cleanUpAtExit();
  try {
    const { values } = parseArgs({
      options: {
        base: { type: 'string', default: 'origin/main' },
        blocks: { type: 'string', default: String(BLOCKS) },
      },
    });
    await guard(values.base, Number(values.blocks));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

void run();
