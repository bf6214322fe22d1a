import { McpService, McpTool, ToolError } from '@toolwright/core';

/** The smallest tool there is: two numbers in, one out. */
@McpService()
export class SumTools {
  /**
   * Add two numbers. Returns their sum, exact to about 15 digits.
   * @param a first number
   * @param b second number
   */
  @McpTool({ name: 'calculate_sum', annotations: { readOnlyHint: true, openWorldHint: false } })
  calculateSum(a: number, b: number): { sum: number } {
    const sum = a + b;
    // JSON has no infinity; it would arrive as null.
    if (!Number.isFinite(sum)) {
      throw new ToolError(`The sum is beyond ${Number.MAX_VALUE}. Send numbers that are less far from zero.`);
    }
    return { sum };
  }
}
