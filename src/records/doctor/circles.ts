import { circlesOf } from '../../history/circles.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { ReportFinding } from '../../storage/doctor/finding.ts'
import { type StayKind, stayKinds, type Thing } from '../../storage/history/stay-rows.ts'

interface Words {
  readonly called: (thing: Thing) => string
  readonly is: string
  readonly mend: string
  readonly alike: string
}

const words: Readonly<Record<StayKind, Words>> = {
  membership: {
    called: ({ id }) => `group ${id}`,
    is: 'is a member of itself',
    mend: 'change the time or the groups of one of the logs that made these memberships',
    alike: 'groups that are members of themselves',
  },
  movement: {
    called: ({ type, id }) => `${type === 'term' ? 'area' : 'asset'} ${id}`,
    is: 'is inside itself',
    mend: 'change the time or the places of one of the logs that made these movements',
    alike: 'places that are inside themselves',
  },
}

/** Nothing is inside itself. A log that is written late can make it so, because only its own time is judged then. */
export async function checkCircles(snapshot: Snapshot, found: ReportFinding): Promise<void> {
  for (const kind of stayKinds) {
    const { called, is, mend, alike } = words[kind]
    for (const { thing, over, from, log } of await circlesOf(snapshot, kind)) {
      const others = over.length === 0 ? '' : `, over ${over.map(called).join(' and ')}`
      const what = `${called(thing)} ${is} from ${new Date(from * 1000).toISOString()} on${others} (log ${log})`
      found({ what: what.replace(/^./, (letter) => letter.toUpperCase()), mend, alike })
    }
  }
}
