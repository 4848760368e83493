/**
 * The words of the driver or server at the bottom of a database error. Drizzle wraps them in the failed query, and a
 * name with several addresses in an AggregateError without words: neither tells a person what to mend.
 */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return failureReason(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return failureReason(error.errors[0]);
  return error.message || error.name;
}
