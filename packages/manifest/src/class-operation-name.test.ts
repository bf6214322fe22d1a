import { classOperationName } from './class-operation-name.js';

test.each([
  ['DeleteOldPages', 'delete_old_pages'],
  ['Admin.Pages.HTTPProbe', 'http_probe'],
  ['Find2Pages', 'find2_pages'],
  ['find', 'find'],
])('the tool of the class %s is called %s', (className, name) => {
  expect(classOperationName(className)).toBe(name);
});
