import { parseArgs } from 'node:util';
import { generateOnce } from '../generate/generate.js';
import { chooseLoad } from '../load/choose-load.js';
import { cleanUpAtExit } from '../processes/clean-up.js';
import { splitCores } from '../processes/cores.js';
import { findNodes } from '../processes/node-versions.js';
import { beginRun } from '../processes/run-conditions.js';
import { publishSection, writeTable } from '../report/files.js';
import type { CallersResults, CallersRow } from '../report/results.js';
import { callersTable } from './callers-table.js';
import { kinds } from './held.js';
import { measureCallers } from './measure-callers.js';

const WARM_UPS = 2;

/** Prints what many callers cost one server. With `--publish` it writes docs/benchmarks.json and docs/performance.md. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      sessions: { type: 'string', default: '10000' },
      streams: { type: 'string', default: '5000' },
      subscriptions: { type: 'string', default: '1000' },
      kinds: { type: 'string', default: kinds.map(({ name }) => name).join(',') },
      // With node-http, it shows what Node.js itself pays for the connections.
      server: { type: 'string', default: 'toolwright-http' },
      rounds: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '1' },
      nodes: { type: 'string', default: 'current,24' },
      publish: { type: 'boolean', default: false },
    },
  });
  cleanUpAtExit();
  const rounds = Number(values.rounds);
  const conditions = beginRun(rounds);
  const common = {
    server: values.server,
    load: chooseLoad(),
    generated: generateOnce(),
    warmUps: WARM_UPS,
    rounds,
    seconds: Number(values.seconds),
  };
  const cores = splitCores();
  const rows: CallersRow[] = [];
  for (const { version: node, path } of findNodes(values.nodes.split(',')))
    for (const kind of kinds.filter(({ name }) => values.kinds.split(',').includes(name))) {
      console.error(`Node ${node}: ${kind.title}`);
      const count = Number(values[kind.name]);
      rows.push(await measureCallers(kind, count, { ...common, node, place: { node: path, cores } }));
    }
  const results: CallersResults = { ...conditions(), rows };
  console.log(callersTable(results));
  if (!values.publish) return;
  console.error(`Written to ${publishSection({ callers: results })}`);
  console.error(`Written to ${writeTable('callers', callersTable)}`);
}

void main();
