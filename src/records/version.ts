/** A revision of a record of one farm. The same number means another record's past in a farm that took its place. */
export const versionOf = (revision: number, edition: string): string => `${revision}.${edition}`

/** No record ever has it. */
const noRevision = 0

/** The revision of this farm that a version names, alone or at the beginning of a tag; one that no record has where it is of another farm. */
export function revisionIn(version: string, edition: string): number {
  const [, revision, seen] = /^(\d{1,15})\.([\w-]+)(?:\.|$)/.exec(version) ?? []
  return seen === edition ? Number(revision) : noRevision
}
