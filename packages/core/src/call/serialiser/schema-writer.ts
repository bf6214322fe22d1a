import { generateOutput, mayGenerate } from './generate-output.js';
import { interpretOutput } from './interpret-output.js';
import type { OutputNode, Write } from './output-node.js';

/** This many values are written without generated code, because generating it takes longer than they do. */
const WARM_UP = 8;

/** Writes the values of one schema. It starts without generated code, and stays so if that is forbidden. */
export class SchemaWriter {
  /** Throws `UNSURE` if the exact writer has to handle a value. */
  write: Write;

  /**
   * @param plan called with the first value, so that a schema may refer to itself
   * @param generate false: never uses generated code
   */
  constructor(plan: () => OutputNode, generate: boolean) {
    this.write = (value) => {
      const node = plan();
      const interpreted = interpretOutput(node);
      let left = WARM_UP;
      this.write =
        generate && mayGenerate()
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
