import { type integer, McpService, McpTool } from '@toolwright/core';

export interface Series {
  name: string;
  /** A value for each label, or null where there is none. */
  values: (number | null)[];
}

export interface Figures {
  title: string;
  /** What the values are in, such as EUR. */
  unit: string;
  /** What the values belong to, such as the months of a year. */
  labels: string[];
  series: Series[];
}

@McpService()
export class ViewNameTools {
  /**
   * Show the sales of each month of a year, and those of the year before, as a chart. Returns the figures. (Say here what your
   * tool shows, and when to use it.)
   * @param year the year to show
   */
  @McpTool({
    name: 'view_name',
    annotations: { readOnlyHint: true, openWorldHint: false },
    ui: { view: './views/view-name.tsx' },
  })
  viewName(/** @minimum 2000 @maximum 2100 */ year: integer = 2026): Figures {
    const labels = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    return {
      title: `Sales in ${year}`,
      unit: 'EUR',
      labels,
      series: [year, year - 1].map((each) => ({ name: String(each), values: salesOf(each) })),
    };
  }
}

/** Figures to begin with. Ask your database in place of it. */
function salesOf(year: number): (number | null)[] {
  return Array.from({ length: 12 }, (_, month) => 2_000 + ((year * 431 + month * 617) % 1_900) + month * 120);
}
