const first = 2_000
const longest = 300_000

/** 2, 4 … 300 seconds after one failure after the other, or when the server has said. */
export function pauseAfter(failures: number, retryAfter: number | null): number {
  return retryAfter === null ? Math.min(first * 2 ** (failures - 1), longest) : retryAfter * 1000
}
