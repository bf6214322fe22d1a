import { parseArgs } from 'node:util';
import { contestants } from '../contestants/catalogue.js';
import { generateOnce } from '../generate/generate.js';
import { chooseLoad } from '../load/choose-load.js';
import { cleanUpAtExit } from '../processes/clean-up.js';
import { splitCores } from '../processes/cores.js';
import { findNodes, type NodeBinary } from '../processes/node-versions.js';
import { workloads } from '../workloads/catalogue.js';
import type { Run } from '../workloads/workload.js';
import { BaseTree, findBase } from './base-tree.js';
import { BLOCKS, compare, percent, type Question } from './compare.js';
import { judge, SIGNIFICANT, TOLERATED } from './verdict.js';

/** The thinnest transport: the share of our own code in a call is largest, and so is the share of what it loses. */
const CONTESTANT = 'toolwright-http';
/** What users have: on each Node.js, because a change may cost something on one of them alone. */
const USUAL = ['call-usual', 'call-dto'];
/** The bare cost of a call and of a result, on the Node.js in use. */
const BARE = ['call-10', 'call-object'];

async function guard(ref: string, blocks: number, names: string[]): Promise<void> {
  const commit = findBase(ref);
  if (!commit) {
    console.log(`The merge base with ${ref} is HEAD itself: there is nothing to compare.`);
    return;
  }
  console.error(`Building ${commit.slice(0, 8)}, the merge base with ${ref}`);
  const tree = BaseTree.build(commit);
  process.once('exit', () => tree.remove());
  const nodes = findNodes(names);
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
  const slower: string[] = [];
  const known = tree.workloads();
  for (const { question, node } of questions(nodes)) {
    const { name } = question.workload;
    const title = `${question.workload.title}, Node ${node.version}`;
    if (!known.has(name)) {
      console.log(`${title}: not compared, because ${commit.slice(0, 8)} does not measure it`);
      continue;
    }
    console.error(title);
    const head = { ...run, place: { ...run.place, node: node.path } };
    const generated = (tools: number) => tree.generate(tools);
    const pair = { head, base: { ...head, place: { ...head.place, app: tree.app }, generated } };
    const { slowdown, chance, failed } = judge(await compare(question, pair, blocks));
    console.log(`${title}: ${percent(1 + slowdown)} CPU per call (p = ${chance.toPrecision(2)})`);
    if (failed) slower.push(title);
  }
  if (slower.length > 0) {
    const limits = `more than ${TOLERATED * 100} %, with p below ${SIGNIFICANT}`;
    throw new Error(`Calls cost more CPU than on ${commit.slice(0, 8)} (${limits}): ${slower.join('; ')}`);
  }
}

function questions(nodes: readonly NodeBinary[]): { question: Question; node: NodeBinary }[] {
  const contestant = contestants.find(({ name }) => name === CONTESTANT)!;
  return nodes.flatMap((node, index) =>
    [...USUAL, ...(index === 0 ? BARE : [])].map((wanted) => ({
      node,
      question: { workload: workloads.find(({ name }) => name === wanted)!, contestant },
    })),
  );
}

async function run(): Promise<void> {
  cleanUpAtExit();
  try {
    const { values } = parseArgs({
      options: {
        base: { type: 'string', default: 'origin/main' },
        blocks: { type: 'string', default: String(BLOCKS) },
        nodes: { type: 'string', default: 'current,24' },
      },
    });
    await guard(values.base, Number(values.blocks), values.nodes.split(','));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

void run();
