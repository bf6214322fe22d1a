import { COUNT_DESCRIPTION, COUNT_TOOL, MEASURE_DESCRIPTION, toolName } from '../contestants/work.js';

const header = (work: string) => `
import { MCPTool } from 'mcp-framework';
import { z } from 'zod-3';
import work from '${work}';
`;

const measureClass = (index: number) => `
export default class extends MCPTool {
  name = '${toolName(index)}';
  description = '${MEASURE_DESCRIPTION}';
  schema = z.object({
    text: z.string().min(1).describe('what to measure'),
    size: z.number().int().min(0).max(1000000).describe('characters of padding'),
  });
  useStringify = false;
  async execute({ text, size }) {
    return work.measure(text, size);
  }
}
`;

const countClass = `
export default class extends MCPTool {
  name = '${COUNT_TOOL}';
  description = '${COUNT_DESCRIPTION}';
  schema = z.object({ steps: z.number().int().min(1).describe('how far to count') });
  useStringify = false;
  async execute({ steps }) {
    for (let done = 1; done <= steps; done++) await this.reportProgress(done, steps);
    return work.countResult(steps);
  }
}
`;

/** One class per file, as mcp-framework asks for; plain ECMAScript modules, since there is nothing to compile. */
export function mcpFrameworkSource(
  { tools, progress }: { tools: number; progress: boolean },
  work: string,
): Record<string, string> {
  const files: Record<string, string> = {};
  if (progress) files['tools/count.js'] = header(work) + countClass;
  for (let index = 0; index < tools; index++) {
    files[`tools/measure-${index}.js`] = header(work) + measureClass(index);
  }
  return files;
}
