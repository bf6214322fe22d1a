import { Newcomer } from './newcomer.js';
import { Registry } from './registry.js';

/**
 * Has a registry with our packages for the tests of a file, and somebody who knows no other.
 *
 * @param names the folders of the packages that are wanted; default: all
 */
export function withNewcomer(names?: readonly string[]): {
  readonly registry: Registry;
  readonly newcomer: Newcomer;
} {
  const both = {} as { registry: Registry; newcomer: Newcomer };

  beforeAll(async () => {
    both.registry = await Registry.start(names);
    both.newcomer = new Newcomer(both.registry.url);
  });

  afterAll(async () => {
    both.newcomer?.leave();
    await both.registry?.stop();
  });

  return both;
}
