import { mcpFrameworkSource } from './mcp-framework-source.js';
import { toolwrightSource } from './toolwright-source.js';

const count = (text: string, part: string) => text.split(part).length - 1;

test('a large Toolwright server has many classes, and each tool once', () => {
  const files = toolwrightSource(250, 'work.js');
  const classes = Object.keys(files).filter((name) => name.startsWith('tools-'));
  expect(classes.map((name) => count(files[name]!, '@McpTool('))).toEqual([100, 100, 50]);
  expect(
    new Set(
      Object.values(files)
        .join()
        .match(/measure_\d+/g),
    ).size,
  ).toBe(250);
});

test('mcp-framework gets one file per tool, and the one that counts only where it is asked for', () => {
  expect(Object.keys(mcpFrameworkSource({ tools: 2, progress: false }, 'work.js'))).toEqual([
    'tools/measure-0.js',
    'tools/measure-1.js',
  ]);
  expect(mcpFrameworkSource({ tools: 2, progress: true }, 'work.js')).toHaveProperty(['tools/count.js']);
});
