/** A step is a name, a position, or all there are. */
type Step = string | number | typeof all

const all = Symbol('all')

const form = /^\$(?:\.[^.[\]\s]+|\[\d{1,9}\]|\[\*\]|\['[^']*'\])*$/
const step = /\.([^.[\]\s]+)|\[(\d+)\]|\[\*\]|\['([^']*)'\]/g

/** What a JSONPath leads to, at most so many; nothing where it is written otherwise than `$`, `.name`, `[n]` and `[*]`. */
export function foundBy(path: string, tree: unknown, most: number): readonly unknown[] {
  if (!form.test(path)) return []
  const steps = [...path.matchAll(step)].map(([, name, position, quoted]): Step => {
    if (position !== undefined) return Number(position)
    const word = name ?? quoted
    return word === undefined || word === '*' ? all : word
  })
  let found: readonly unknown[] = [tree]
  for (const one of steps) found = found.flatMap((value) => under(value, one)).slice(0, most)
  return found.filter((value) => value !== null && value !== undefined)
}

function under(value: unknown, one: Step): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (one === all) return Object.values(value)
  if (typeof one === 'number') return Array.isArray(value) && one in value ? [value[one]] : []
  return !Array.isArray(value) && Object.hasOwn(value, one) ? [(value as Record<string, unknown>)[one]] : []
}
