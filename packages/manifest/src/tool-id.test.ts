import { classId, toolId } from './tool-id.js';

test('a class is named by its source file and its qualified name', () => {
  expect(classId('src/pages.ts', 'Admin.PageTools')).toBe('src/pages.ts#Admin.PageTools');
});

test('the name of a static method differs from that of a method', () => {
  const parts = { file: 'src/pages.ts', className: 'PageTools', method: 'search' };
  expect(toolId(parts)).toBe('src/pages.ts#PageTools.search');
  expect(toolId({ ...parts, static: true })).toBe('src/pages.ts#PageTools::search');
});
