import { tokensOfTool } from '@toolwright/json';
import type { ApiPlan } from '../model/plan-operations.js';
import { contractOf } from '../model/tool-contract.js';

/** A group of tools that a person takes or leaves. */
interface Group {
  readonly name: string;
  readonly tools: number;
  readonly tokens: number;
}

/**
 * Lets a person choose groups, and shows the total after each answer.
 *
 * @param ask asks one question at a terminal
 * @returns the names of the chosen groups
 */
export async function chooseGroups(
  plan: ApiPlan,
  { ask, show }: { ask(question: string): Promise<string>; show(line: string): void },
): Promise<ReadonlySet<string>> {
  const groups = groupsOf(plan);
  const chosen = new Set(groups.map(({ name }) => name));
  groups.forEach(({ name, tools, tokens }, index) =>
    show(`${String(index + 1).padStart(3)}  ${name}: ${tools} tools, ${tokens} tokens`),
  );
  for (;;) {
    const total = groups.filter(({ name }) => chosen.has(name)).reduce((sum, { tokens }) => sum + tokens, 0);
    const answer = await ask(
      `${chosen.size} of ${groups.length} groups, ${total} tokens. Numbers add or remove, "none" removes all, Enter goes on: `,
    );
    const words = answer
      .trim()
      .split(/[\s,]+/)
      .filter(Boolean);
    if (words.length === 0) return chosen;
    for (const word of words) {
      if (word === 'none') chosen.clear();
      const name = groups[Number(word) - 1]?.name;
      if (name !== undefined && !chosen.delete(name)) chosen.add(name);
    }
  }
}

function groupsOf(plan: ApiPlan): Group[] {
  const groups = new Map<string, Group>();
  for (const each of plan.operations) {
    const { tools = 0, tokens = 0 } = groups.get(each.group) ?? {};
    const more = tokensOfTool(contractOf(each, plan));
    groups.set(each.group, { name: each.group, tools: tools + 1, tokens: tokens + more });
  }
  return [...groups.values()];
}
