import { memberCircles } from '../../history/member-circles.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { Found } from '../../storage/doctor/finding.ts'

/** No group is a member of itself. A log that is written late can make it so, because only its own time is judged then. */
export async function checkMembers(snapshot: Snapshot, found: Found): Promise<void> {
  for (const { group, over, from, log } of await memberCircles(snapshot)) {
    const others = over.length === 0 ? '' : `, over ${over.map((one) => `group ${one}`).join(' and ')}`
    found({
      what: `Group ${group} is a member of itself from ${new Date(from * 1000).toISOString()} on${others} (log ${log})`,
      mend: 'change the time or the groups of one of the logs that made these memberships',
      alike: 'groups that are members of themselves',
    })
  }
}
