import type { Fleet } from '../../src/fleet.js';

/**
 * Runs a trial, and again if a replica took Redis for away meanwhile: what is shared is exact only while Redis answers
 * within 50 ms. On a machine that is busy with others, it may take longer.
 */
export async function whileStoresAnswer<T>(fleet: Fleet, trial: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = countOutages(fleet);
    const result = await trial();
    if (countOutages(fleet) === before) return result;
  }
}

function countOutages({ replicas }: Fleet): number {
  return replicas
    .map(({ output }) => output.split('does not answer').length - 1)
    .reduce((sum, each) => sum + each);
}
