import { dirname, join } from 'node:path';

/** The data sets of the npm package vega-datasets: real files, of some bytes to some megabytes. */
export function exampleData(): string {
  return join(dirname(require.resolve('vega-datasets')), '..', 'data');
}
