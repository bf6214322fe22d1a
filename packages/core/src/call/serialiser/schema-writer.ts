import { lazily } from '../../base/lazily.js';
import { generateOutput, mayGenerate } from './generate-output.js';
import { interpretOutput } from './interpret-output.js';
import type { OutputNode, Write } from './output-node.js';

/** So many values are written without generated code, which takes longer to make than to do without it. */
const WARM_UP = 8;

const canGenerate = lazily(mayGenerate);

/** Writes the values of one schema: without generated code at first, and always where that is forbidden. */
export class SchemaWriter {
  /** Throws `UNSURE` where the exact writer has to see to a value. */
  write: Write;

  /**
   * @param plan asked at the first value, so that a schema may refer to itself
   * @param generate false: never by generated code
   */
  constructor(plan: () => OutputNode, generate: boolean) {
    this.write = (value) => {
      const node = plan();
      const interpreted = interpretOutput(node);
      let left = WARM_UP;
      this.write =
        generate && canGenerate()
          ? (next) => {
              if (--left > 0) return interpreted(next);
              this.write = generateOutput(node);
              return this.write(next);
            }
          : interpreted;
      return this.write(value);
    };
  }
}
