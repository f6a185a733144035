import type { InputPlace, Tree } from '../../../fields/place.ts'

/** Notes every member that such a value does not have. */
export function hasOnly(input: Tree, members: readonly string[], place: InputPlace): boolean {
  const strangers = Object.keys(input).filter((name) => !members.includes(name))
  for (const name of strangers) place.inside(name).fault('there is no such property here', members)
  return strangers.length === 0
}
