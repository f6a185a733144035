import { draftGiven, type FieldDrafts, type Given, idsAmong, references, thingsGiven } from './given.ts'
import { assignsGroups, groupsOfLog } from './log-groups.ts'

/** The groups of a log are joined where it says so, and only named otherwise. */
export function groupDrafts(given: Given): FieldDrafts {
  const { before, members } = given
  const things = thingsGiven(given, 'assigned groups')
  const groups = references(things === undefined ? groupsOfLog(before) : idsAmong(things, 'asset'))
  const assigns = members.has('assigns groups') ? draftGiven(given, 'assigns groups') === true : assignsGroups(before)
  if (!assigns) return { membership: undefined, group: groups }
  return { membership: { part: groups === undefined ? { leaves: true } : { group: groups } }, group: undefined }
}
