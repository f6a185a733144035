import { effect } from '@preact/signals'
import { lastList } from '../look/beside.ts'
import { base } from '../look/router.ts'
import { wide } from '../look/wide.ts'
import { assetBy } from '../store/copy.ts'
import { groupsOf } from '../store/stays.ts'

const pageOfMembers = (id: string): string => `/group/${id}`

/** The asset for which it is settled what stands beside it. */
let settled: string | null = null

/** On a desk an animal stands beside its group, unless it was chosen from another list. */
export function putGroupBeside(asset: () => string | undefined): void {
  effect(() => {
    const id = asset()
    if (id === undefined) settled = null
    if (id === undefined || id === settled || !wide.value) return
    const group = isListed(id) ? null : groupFor(id)
    if (group !== null) lastList.value = pageOfMembers(group)
    if (group !== null || isListed(id)) settled = id
  })
}

const isListed = (id: string): boolean =>
  document.querySelector(`.split > .pane:first-child a[href="${base}/asset/${CSS.escape(id)}"]`) !== null

/** A group is its own; of several groups the one that is shown already stays. */
function groupFor(id: string): string | null {
  const asset = assetBy(id)
  if (asset === undefined) return null
  if (asset.bundle === 'group') return asset.id
  const groups = groupsOf(asset.id).flatMap(({ place }) => place ?? [])
  return groups.find((group) => lastList.peek() === pageOfMembers(group)) ?? groups[0] ?? null
}
