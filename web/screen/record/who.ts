import { assets } from '../../store/local-copy.ts'
import { idsIn, type KeptRecord } from '../../store/record.ts'

import { say } from './say.ts'
import { nameOfAsset } from './shown.tsx'

/** What a log is about: groups stand for their members. */
interface Who {
  readonly groups: readonly string[]
  readonly others: readonly string[]
}

export function whoIn({ fields }: KeptRecord): Who {
  const ids = idsIn(fields.asset)
  const groups = ids.filter((id) => assets.value.get(id)?.bundle === 'group')
  return { groups, others: ids.filter((id) => !groups.includes(id)) }
}

const most = 3

/** "Milkers (42)", "117, 131", "40 assets" */
export function whoWords(log: KeptRecord): string | undefined {
  const { groups, others } = whoIn(log)
  const names = groups.map(nameOfAsset)
  if (groups.length > 0)
    return others.length === 0 ? names.join(', ') : say('log.group', { name: names.join(', '), count: others.length })
  if (others.length === 0) return undefined
  return others.length > most ? say('log.assets', { count: others.length }) : others.map(nameOfAsset).join(', ')
}
