/** Neither engine takes a statement of any length: asks for a few hundred at a time. */
export async function inSlices<T, R>(
  items: readonly T[],
  work: (slice: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += 500) results.push(...(await work(items.slice(start, start + 500))))
  return results
}
