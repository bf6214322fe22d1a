import type { ServerOptions } from '@toolwright/core';
import { WeatherTools } from '../weather/weather-tools.js';

/**
 * The weather for models that write programs: one program asks for the twelve months of both cities, and only what it finds out
 * reaches the conversation. Its tools only read, so that a host need not ask a person about a program.
 */
export const weatherPrograms = {
  services: [WeatherTools],
  codeMode: { only: 'readOnly', calls: 30, time: '2s' },
} satisfies Omit<ServerOptions, 'name' | 'version'>;
