import { mediaTypeIn } from './media-type.js';

test.each([
  ['application/json', 'application/json'],
  ['Text/Event-Stream ; charset=utf-8', 'text/event-stream'],
  ['application/json; was="text/event-stream"', 'application/json'],
  ['', ''],
  [null, ''],
  [undefined, ''],
])('the media type in %j is %j', (header, type) => {
  expect(mediaTypeIn(header)).toBe(type);
});
