import { Fleet, type FleetOptions } from '../../src/fleet.js';
import { missingPrograms, missingText } from '../../src/processes/find-program.js';

/** The fleet of a test file. */
export interface TestFleet {
  readonly fleet: Fleet;
}

/**
 * Declares tests that share a fleet. Where a program is not installed, they say so, and fail only with
 * REQUIRE_ALL=1.
 *
 * @param options a function, if it takes long to find them out
 */
export function describeFleet(
  name: string,
  options: FleetOptions | (() => Promise<FleetOptions>),
  define: (test: TestFleet) => void,
): void {
  const missing = missingPrograms();
  if (missing.length > 0 && process.env.REQUIRE_ALL !== '1') {
    it(`${name}: not tried. ${missingText(missing)}`, () => {
      expect(missingPrograms()).not.toEqual([]);
    });
    return;
  }
  describe(name, () => {
    let fleet: Fleet;
    beforeAll(async () => {
      fleet = await Fleet.start(typeof options === 'function' ? await options() : options);
    });
    afterAll(() => fleet?.stop());
    define({
      get fleet() {
        return fleet;
      },
    });
  });
}
