import { spanEnvironment } from './console-host.js';

const ours = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:1/v1/traces' };

test('an exporter sends to the console, and soon', () => {
  expect(spanEnvironment(ours, {})).toEqual({ ...ours, OTEL_BSP_SCHEDULE_DELAY: '500' });
});

test('a delay that the person has set stays', () => {
  expect(spanEnvironment(ours, { OTEL_BSP_SCHEDULE_DELAY: '50' })).toMatchObject({
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
});

test.each(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])(
  'with %s of the person, the app gets nothing of the console, and so no token of it',
  (name) => {
    expect(spanEnvironment(ours, { [name]: 'http://collector:4318' })).toEqual({});
  },
);
