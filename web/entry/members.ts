/** A log names so many at most; of more, several logs are made, which go out together. */
export const mostInOneLog = 1000
export const mostAtOnce = 5000

export const areTooMany = (assets: readonly unknown[]): boolean => assets.length > mostAtOnce

interface Groups {
  /** Who is in a group now; nobody is in what is no group. */
  readonly membersOf: (asset: string) => readonly string[]
  /** Not archived. */
  readonly isHere: (asset: string) => boolean
}

/** Those chosen, and whoever is in a group of theirs, also by a group in it; each once. */
export function withMembers(chosen: readonly string[], { membersOf, isHere }: Groups): readonly string[] {
  const named = new Set<string>()
  const name = (assets: readonly string[]) => {
    for (const asset of assets) {
      if (named.has(asset) || !isHere(asset)) continue
      named.add(asset)
      name(membersOf(asset))
    }
  }
  name(chosen)
  return [...named]
}

export function inShares<Item>(items: readonly Item[], most = mostInOneLog): readonly (readonly Item[])[] {
  const shares: Item[][] = []
  for (let at = 0; at < items.length; at += most) shares.push(items.slice(at, at + most))
  return shares
}
