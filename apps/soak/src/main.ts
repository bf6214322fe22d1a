import { barsOf, describeBar, isMet } from './scenario.js';
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
  for (const scenario of scenarios.filter(({ name }) => only.includes(name))) {
    const { name, promise } = scenario;
    const start = performance.now();
    console.log(`${name}: ${promise}`);
    for await (const bars of barsOf(scenario, quick)) {
      for (const bar of bars) console.log(describeBar(bar));
      missed += bars.filter((bar) => !isMet(bar)).length;
    }
    console.log(`  [${((performance.now() - start) / 1000).toFixed(1)} s]`);
  }
  console.log(missed === 0 ? 'every bar is met' : `bars missed: ${missed}`);
  process.exitCode = missed === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
