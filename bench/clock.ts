/** Milliseconds of the monotonic clock, which all processes of a machine share: differences between processes are real. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
