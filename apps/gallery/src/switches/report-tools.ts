import { Confirm, McpService, McpTool, ToolError } from '@toolwright/core';
import { Feature, type FeatureName } from './feature.js';
import { FeatureSwitches } from './feature-switches.js';
import { Permission } from './permission.js';

/** Tools that are not always there, and not there for everybody. */
@McpService()
export class ReportTools {
  private readonly reports = new Map([
    ['2026-q1', 'Sales rose by a tenth. Teapots did best.'],
    ['2026-q2', 'Sales fell. It was a warm spring, and nobody wanted tea.'],
  ]);

  constructor(private readonly switches: FeatureSwitches) {}

  /** List the reports. Returns their names. */
  @McpTool({ name: 'list_reports', annotations: { readOnlyHint: true, openWorldHint: false } })
  listReports(): { reports: string[] } {
    return { reports: [...this.reports.keys()] };
  }

  /**
   * Summarise a report. Returns its first sentence.
   * @param report name as list_reports gives it
   */
  @McpTool({ name: 'summarize_report', annotations: { readOnlyHint: true, openWorldHint: false } })
  @Feature('summaries')
  summarizeReport(report: string): string {
    return `${this.find(report).split('. ', 1)[0]}.`;
  }

  /**
   * Delete a report for good. The person behind the client is asked first.
   * @param report name as list_reports gives it
   */
  @McpTool({ name: 'delete_report', annotations: { destructiveHint: true, openWorldHint: false } })
  @Permission('reports:delete')
  @Confirm(({ report }: { report: string }) => `Delete the report ${JSON.stringify(report)} for good?`)
  deleteReport(report: string): void {
    this.find(report);
    this.reports.delete(report);
  }

  /**
   * Switch a feature on or off, for everybody. Tools that belong to it come or go.
   * @param feature which one
   * @param on whether its tools are offered
   */
  @McpTool({
    name: 'switch_feature',
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  })
  @Permission('features:switch')
  switchFeature(feature: FeatureName, on: boolean): void {
    this.switches.set(feature, on);
  }

  private find(report: string): string {
    const text = this.reports.get(report);
    if (text !== undefined) return text;
    throw new ToolError(`There is no report "${report}". Send a name as list_reports gives it.`);
  }
}
