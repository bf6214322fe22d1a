import { randomInt } from 'node:crypto';
import { type integer, McpService, McpTool } from '@toolwright/core';

/** A service like any other; that it is loaded at run time changes nothing for it. */
@McpService()
export class DiceTools {
  /**
   * Roll dice. Returns what each shows, and the sum.
   * @param dice how many
   * @param sides how many sides each has
   */
  @McpTool({ name: 'roll_dice', annotations: { readOnlyHint: true, openWorldHint: false } })
  rollDice(
    /** @minimum 1 @maximum 100 */ dice: integer = 2,
    /** @minimum 2 @maximum 1000 */ sides: integer = 6,
  ): { rolls: integer[]; sum: integer } {
    const rolls = Array.from({ length: dice }, () => randomInt(1, sides + 1));
    return { rolls, sum: rolls.reduce((sum, roll) => sum + roll) };
  }
}
