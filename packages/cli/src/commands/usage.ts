import { type AddCommand, addUsage as addUsageOfOperate } from '@toolwright/operate';

/** The command of `@toolwright/operate`, with the tokenizer that production does not have. */
export const addUsage: AddCommand = (program, context) =>
  addUsageOfOperate(program, {
    ...context,
    countTokens: async () => (await import('../contract/tokens/count-tokens.js')).loadCounter(),
  });
