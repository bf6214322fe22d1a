import { bootForFile } from '../support/booted-sources.js';

const TOOLS = `
import { McpService, McpTool } from '@toolwright/core';
import { IsEmail, IsOptional } from 'class-validator';

interface Unfit {
  /** @default new Date() */ date?: Date;
  /** @default tomorrow */ day?: Date;
  /** @default http */ url?: URL;
  /** @default ["a","a"] */ set?: Set<string>;
  /** @default {"a":"x"} */ map?: Map<string, number>;
  /** @default {"c":1} */ keyed?: Map<'a' | 'b', number>;
  /** @default {"a":"x"} */ record?: Record<string, number>;
  /** @default nobody @format email */ mail?: string;
  /** @default ["soon"] */ dates?: Date[];
}
interface Fit {
  /** @default 2020-01-01T00:00:00Z */ date?: Date;
  /** @default https://example.com/ */ url?: URL;
  /** @default ["a","b"] */ set?: Set<string>;
  /** @default {"a":1} */ map?: Map<string, number>;
  /** @default ann@example.com @format email */ mail?: string;
}
export class Mail { @IsEmail() mail = 'ann@example.com'; @IsEmail() @IsOptional() other = 'jörg@münchen.de' }

@McpService() export class Tools {
  @McpTool() unfit(o: Unfit): string { return JSON.stringify(o); }
  @McpTool() fit(o: Fit): string { return [o.date?.getTime(), o.url?.host, o.set?.size, o.map?.get('a'), o.mail].join(); }
  @McpTool() mail(o: Mail): string { return o.mail + o.other; }
}`;

const tools = bootForFile(TOOLS);
const defaultsOf = (name: string) =>
  Object.entries(tools.booted.schemas.get(name)!.properties!).filter(([, each]) => 'default' in each);

test('a default that no call could send is left out, and the build names it', async () => {
  expect(defaultsOf('unfit')).toEqual([]);
  const named = tools.booted.diagnostics.filter(({ code }) => code === 'TW_SCHEMA_DEFAULT');
  expect(named.map(({ message }) => message.slice(2, message.indexOf(':')))).toEqual([
    ...['date', 'day', 'url', 'set', 'map', 'keyed', 'record', 'mail', 'dates'],
  ]);
  expect(await tools.call('unfit')).toBe('{}');
});

test('one that fits is published and applied', async () => {
  expect(defaultsOf('fit')).toHaveLength(5);
  expect(await tools.call('fit')).toBe('1577836800000,example.com,2,1,ann@example.com');
  expect(defaultsOf('mail')).toHaveLength(2);
  expect(await tools.call('mail')).toBe('ann@example.comjörg@münchen.de');
});
