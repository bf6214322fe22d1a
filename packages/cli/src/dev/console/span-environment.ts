/** Milliseconds after which an SDK sends what it has. Its own default is five seconds, which is long for who waits. */
const SEND_AFTER_MS = '500';

/**
 * Tells an exporter of OpenTelemetry in the app to send its spans to the console. When the person sends them somewhere
 * else, nothing is changed: the token of the console must not go there.
 *
 * @param ours the place of the console, in the variables that an exporter reads
 * @param theirs the environment of `dev`
 */
export function spanEnvironment(
  ours: Readonly<Record<string, string>>,
  theirs: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_BSP_SCHEDULE_DELAY } = theirs;
  if (OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return {};
  return { ...ours, OTEL_BSP_SCHEDULE_DELAY: OTEL_BSP_SCHEDULE_DELAY ?? SEND_AFTER_MS };
}
