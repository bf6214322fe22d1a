import { isObject } from '@toolwright/json';
import { type ContractChange, type ToolChange, textChange } from './change.js';
import { compareContracts } from './compare-contracts.js';
import { compareParts, partOf } from './listed-parts.js';
import type { ToolContract, UpstreamContract, Upstreams } from './lock-file.js';

/** What servers behind offer now. `undefined`: the server cannot be reached. */
export type OfferedUpstreams = Readonly<Record<string, UpstreamContract | undefined>>;

/** Lists what servers behind have changed since somebody accepted it. */
export function compareUpstreams(before: Upstreams = {}, after: OfferedUpstreams | undefined): ToolChange[] {
  if (!after) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (!(name in after)) return [whole(name, 'notable', 'the server is not mounted any more')];
    if (!is) return [whole(name, 'breaking', 'the server cannot be reached, so nobody knows what it offers')];
    const added = was ? [] : [whole(name, 'compatible', 'the server was mounted')];
    return [...added, ...compareOffered(was ?? { tools: {}, prompts: {} }, is).map((each) => of(name, each))];
  });
}

const whole = (tool: string, impact: ContractChange['impact'], message: string): ToolChange => ({
  tool,
  impact,
  path: '',
  message,
});

const of = (name: string, change: ToolChange): ToolChange => ({ ...change, tool: `${name}: ${change.tool}` });

function compareOffered(before: UpstreamContract, after: UpstreamContract): ToolChange[] {
  const prompts = (all: UpstreamContract['prompts']) =>
    Object.fromEntries(Object.entries(all).map(([name, prompt]) => [name, partOf(prompt as never)]));
  return [
    ...compareContracts(contractsOf(before), contractsOf(after)),
    ...compareRest(before, after),
    ...compareParts({ prompts: prompts(before.prompts) }, { prompts: prompts(after.prompts) }),
  ];
}

/** A server of somebody else may send anything in place of a schema. */
function contractsOf({ tools }: UpstreamContract): ToolContract[] {
  return Object.entries(tools).map(
    ([name, { title, description, annotations, inputSchema, outputSchema }]) => ({
      name,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      ...(isObject(annotations) && { annotations }),
      inputSchema: isObject(inputSchema) ? inputSchema : { type: 'object' },
      ...(isObject(outputSchema) && { outputSchema }),
    }),
  );
}

/** Members that say how a client calls a tool, or shows it. */
function compareRest(before: UpstreamContract, after: UpstreamContract): ToolChange[] {
  return Object.entries(after.tools).flatMap(([tool, is]) => {
    const was = before.tools[tool];
    if (!was) return [];
    return ['execution', '_meta']
      .filter((member) => JSON.stringify(was[member]) !== JSON.stringify(is[member]))
      .map((member) => ({ tool, ...textChange(member, `/${member}`, [was[member], is[member]]) }));
  });
}
