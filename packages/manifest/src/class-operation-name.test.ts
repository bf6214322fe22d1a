import { classOperationName } from './class-operation-name.js';

test.each([
  ['DeleteOldPages', 'delete_old_pages'],
  ['Admin.Pages.HTTPProbe', 'http_probe'],
  ['Find2Pages', 'find2_pages'],
  ['find', 'find'],
])('the class %s gives its tool the name %s', (className, name) => {
  expect(classOperationName(className)).toBe(name);
});
