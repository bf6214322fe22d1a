import { Ajv2020 } from 'ajv/dist/2020.js';

interface ListedTool {
  name: string;
  outputSchema: object;
}

/** What a client finds wrong with a result that checks it with the schema in the list of tools. */
export function problemsOfClient(
  tools: readonly ListedTool[],
  name: string,
  result: { structuredContent: unknown },
): unknown {
  const { outputSchema } = tools.find((each) => each.name === name)!;
  const check = new Ajv2020({ strict: false, logger: false }).compile(outputSchema);
  return check(result.structuredContent) ? undefined : check.errors;
}
