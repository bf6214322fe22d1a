import {
  BOOK_DESCRIPTION,
  BOOK_QUESTION,
  BOOK_TOOL,
  COUNT_DESCRIPTION,
  COUNT_TOOL,
  FIND_DESCRIPTION,
  FIND_TOOL,
  GUARDED_SEARCH_TOOL,
  MEASURE_DESCRIPTION,
  REPORT_DESCRIPTION,
  REPORT_TOOL,
  SAVE_DESCRIPTION,
  SAVE_TOOL,
  SCOPE,
  SEARCH_DESCRIPTION,
  SEARCH_TOOL,
  toolName,
} from '../contestants/work.js';

/** Tools per class: a large server has many classes, not one huge one. */
const TOOLS_PER_CLASS = 100;

const header = (work: string) => `
import { McpService, McpTool, ToolContext, text as textContent, type integer } from '@toolwright/core';
import { countResult, measure } from '${work}';
`;

const measureMethod = (index: number) => `
  /** ${MEASURE_DESCRIPTION}
   * @param text what to measure
   * @param size characters of padding
   */
  @McpTool({ name: '${toolName(index)}', annotations: { readOnlyHint: true, openWorldHint: false } })
  measure${index}(/** @minLength 1 */ text: string, /** @minimum 0 @maximum 1000000 */ size: integer) {
    return textContent(measure(text, size));
  }
`;

const progressClass = `
@McpService()
export class Progress {
  /** ${COUNT_DESCRIPTION} */
  @McpTool({ name: '${COUNT_TOOL}', annotations: { readOnlyHint: true, openWorldHint: false } })
  async count(/** @minimum 1 */ steps: integer, ctx: ToolContext) {
    for (let done = 1; done <= steps; done++) await ctx.progress(done, steps);
    return textContent(countResult(steps));
  }
}
`;

const saveClass = (work: string) => `
import { McpService, McpTool } from '@toolwright/core';
import { saveResult } from '${work}';
import { PageDto } from './page-dto.js';

@McpService()
export class Save {
  /** ${SAVE_DESCRIPTION} */
  @McpTool({ name: '${SAVE_TOOL}', annotations: { readOnlyHint: true, openWorldHint: false } })
  async save(page: PageDto): Promise<string> {
    return saveResult(page);
  }
}
`;

const bookingClass = (work: string) => `
import { McpService, McpTool, ToolContext, type integer } from '@toolwright/core';
import { bookResult, REPORT_RESULT } from '${work}';

interface Guests {
  /** @minimum 1 */
  count: integer;
}

@McpService()
export class Booking {
  /** ${BOOK_DESCRIPTION} */
  @McpTool({ name: '${BOOK_TOOL}', annotations: { readOnlyHint: true, openWorldHint: false } })
  async book(ctx: ToolContext): Promise<string> {
    const { content } = await ctx.elicit<Guests>('${BOOK_QUESTION.key}', { message: '${BOOK_QUESTION.message}' });
    return bookResult(content?.count ?? 0);
  }
}

@McpService()
export class Reports {
  /** ${REPORT_DESCRIPTION} */
  @McpTool({
    name: '${REPORT_TOOL}',
    task: 'optional',
    annotations: { readOnlyHint: true, openWorldHint: false },
  })
  async report(): Promise<string> {
    return REPORT_RESULT;
  }
}
`;

const pageInterface = `
interface Page {
  id: string;
  title: string;
  url: string;
  stars: integer;
  score: number;
  archived: boolean;
  tags: string[];
  owner: { name: string; email?: string };
  updated: string;
}
`;

const searchClass = (work: string) => `
import { McpService, McpTool, RequireScopes, type integer } from '@toolwright/core';
import { searchResult } from '${work}';
${pageInterface}
@McpService()
export class Search {
  /** ${SEARCH_DESCRIPTION} */
  @McpTool({ name: '${SEARCH_TOOL}', annotations: { readOnlyHint: true, openWorldHint: false } })
  async search(/** @minimum 1 @maximum 1000 */ count: integer): Promise<{ total: integer; results: Page[] }> {
    return searchResult(count);
  }
}

@McpService()
export class GuardedSearch {
  /** ${SEARCH_DESCRIPTION} */
  @RequireScopes('${SCOPE}')
  @McpTool({ name: '${GUARDED_SEARCH_TOOL}', annotations: { readOnlyHint: true, openWorldHint: false } })
  async search(/** @minimum 1 @maximum 1000 */ count: integer): Promise<{ total: integer; results: Page[] }> {
    return searchResult(count);
  }
}
`;

/** As people write tools, with the guards that they use. The limit is one that the load does not reach. */
const findPagesClass = (work: string) => `
import { McpService, McpTool, RateLimit, type integer } from '@toolwright/core';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsString, Max, Min, MinLength, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { findPages } from '${work}';

${pageInterface}
export class FilterDto {
  /** Pages with one of these tags. */
  @IsArray() @ArrayMaxSize(10) @IsString({ each: true }) tags!: string[];
  @IsBoolean() archived!: boolean;
}

export class FindPagesDto {
  /** Words to look for. */
  @IsString() @MinLength(2) query!: string;
  @IsInt() @Min(1) @Max(100) limit!: number;
  @ValidateNested() @Type(() => FilterDto) filter!: FilterDto;
}

@McpService()
export class FindPages {
  /** ${FIND_DESCRIPTION} */
  @McpTool({ name: '${FIND_TOOL}', annotations: { readOnlyHint: true, openWorldHint: false } })
  @RateLimit({ points: 1_000_000_000, per: '1m' })
  async find(search: FindPagesDto): Promise<{ total: integer; results: Page[] }> {
    return findPages(search);
  }
}
`;

/**
 * The decorated classes by file name: `services.ts` lists those that serve so many tools. The others stand alone, so a
 * workload that does not ask for them does not load what they load, such as class-validator.
 *
 * @param work the module of the bench that does the tools' work, as a specifier
 */
export function toolwrightSource(tools: number, work: string): Record<string, string> {
  const files: Record<string, string> = {
    'progress.ts': header(work) + progressClass,
    'booking.ts': bookingClass(work),
    'save.ts': saveClass(work),
    'search.ts': searchClass(work),
    'find-pages.ts': findPagesClass(work),
  };
  const classes = Math.ceil(tools / TOOLS_PER_CLASS);
  for (let group = 0; group < classes; group++) {
    const first = group * TOOLS_PER_CLASS;
    const count = Math.min(TOOLS_PER_CLASS, tools - first);
    const methods = Array.from({ length: count }, (_, offset) => measureMethod(first + offset));
    files[`tools-${group}.ts`] =
      `${header(work)}\n@McpService()\nexport class Tools${group} {${methods.join('')}}\n`;
  }
  const groups = Array.from({ length: classes }, (_, group) => group);
  files['services.ts'] = [
    ...groups.map((group) => `import { Tools${group} } from './tools-${group}.js';`),
    `export const services = [${groups.map((group) => `Tools${group}`).join(', ')}];`,
  ].join('\n');
  return files;
}
