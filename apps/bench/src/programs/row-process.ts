import { programRows } from './rows.js';

/** Measures one row once and says the figure: a sample has a process of its own, so that nothing is warm or kept. */
async function main([name]: string[]): Promise<void> {
  const row = programRows.find((each) => each.name === name)!;
  console.log(await row.measure());
  process.exit();
}

void main(process.argv.slice(2));
