import { describeBar, isMet } from './scenario.js';
import { readOptions } from './options.js';
import { scenarios } from './scenarios/catalogue.js';

/** Runs the scenarios one after the other; exits with 1 if a bar is missed. */
async function main(): Promise<void> {
  const { only, quick } = readOptions(
    process.argv.slice(2),
    scenarios.map(({ name }) => name),
  );
  console.log(`Node.js ${process.version}, ${process.platform} ${process.arch}${quick ? ', quick' : ''}`);
  let missed = 0;
  for (const { name, promise, run } of scenarios.filter((scenario) => only.includes(scenario.name))) {
    const start = performance.now();
    const bars = await run(quick);
    console.log(`${name}: ${promise} [${((performance.now() - start) / 1000).toFixed(1)} s]`);
    for (const bar of bars) console.log(describeBar(bar));
    missed += bars.filter((bar) => !isMet(bar)).length;
  }
  console.log(missed === 0 ? 'every bar is met' : `bars missed: ${missed}`);
  process.exitCode = missed === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
