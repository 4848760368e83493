import { type Config, parseConfig } from './schema';

let cached: Config | undefined;

/** This process's settings, read once and lazily, so that a build needs none. Throws `ConfigError`. */
export function config(): Config {
  cached ??= parseConfig(process.env, process.cwd());
  return cached;
}
