import { parseArgs } from 'node:util';
import { contestants } from '../contestants/catalogue.js';
import { generateOnce } from '../generate/generate.js';
import { chooseLoad } from '../load/choose-load.js';
import { cleanUpAtExit } from '../processes/clean-up.js';
import { splitCores } from '../processes/cores.js';
import { findNodes } from '../processes/node-versions.js';
import { beginRun } from '../processes/run-conditions.js';
import { publishSection, writeTable } from '../report/files.js';
import type { MemoryResults, MemoryRow } from '../report/results.js';
import { measureMemory } from './measure-memory.js';
import { memoryTable } from './memory-table.js';

const TOOLS = 10;

/** Prints what servers keep in memory. With `--publish` it writes docs/benchmarks.json and docs/performance.md. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      servers: {
        type: 'string',
        default: 'express-json,toolwright-express,toolwright-http,sdk-v2-kept-schemas',
      },
      rounds: { type: 'string', default: '3' },
      minutes: { type: 'string', default: '0.5' },
      nodes: { type: 'string', default: 'current,24' },
      publish: { type: 'boolean', default: false },
    },
  });
  cleanUpAtExit();
  const [rounds, minutes] = [Number(values.rounds), Number(values.minutes)];
  const conditions = beginRun(rounds);
  const [load, cores, generated] = [chooseLoad(), splitCores(), generateOnce()(TOOLS)];
  const wanted = values.servers.split(',');
  const rows: MemoryRow[] = [];
  for (const { version, path } of findNodes(values.nodes.split(',')))
    for (const contestant of contestants.filter(({ name }) => wanted.includes(name))) {
      console.error(`Node ${version}: ${contestant.title}`);
      const run = { place: { node: path, cores }, load, rounds, minutes, generated };
      rows.push(await measureMemory(contestant, version, run));
    }
  const results: MemoryResults = { ...conditions(), minutes, rows };
  console.log(memoryTable(results));
  if (!values.publish) return;
  console.error(`Written to ${publishSection({ memory: results })}, ${writeTable('memory', memoryTable)}`);
}

void main();
