// Ids of jobs and runs are int64 JSON numbers (databricks-sdk-py `service/jobs.py`); JavaScript's own JSON rounds them.

/** JavaScript has them since ES2025's JSON.rawJSON; TypeScript's library does not know them yet. */
const { rawJSON, parse } = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(text: string, reviver: (key: string, value: unknown, at: { source?: string }) => unknown): unknown;
};

/** JSON text of a value in which a `bigint` becomes a number with all its digits. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? rawJSON(String(part)) : part,
  );
}

/** Reads JSON; a whole number that a double cannot hold becomes a `bigint`. Throws `SyntaxError`. */
export function readJson(text: string): unknown {
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' &&
    source !== undefined &&
    /^-?\d+$/.test(source) &&
    !Number.isSafeInteger(value)
      ? BigInt(source)
      : value,
  );
}
