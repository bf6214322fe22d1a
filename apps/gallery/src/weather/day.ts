export type City = 'New York' | 'Seattle';

/** What was measured in a city on a day. */
export interface Day {
  city: City;
  /** Such as 2014-07-31. */
  date: string;
  weather: 'drizzle' | 'fog' | 'rain' | 'snow' | 'sun';
  /** Millimetres. */
  precipitation: number;
  /** Highest temperature, in °C. */
  maxTemperature: number;
  /** Lowest temperature, in °C. */
  minTemperature: number;
  /** Average wind speed, in metres a second. */
  wind: number;
}
