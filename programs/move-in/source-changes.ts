import type { MoveChange } from './findings.ts'
import { describedInRecords, type SourceFiles } from './source-files.ts'
import { idIn, numberIn } from './source-lists.ts'
import type { SourceFarm } from './source-reader.ts'
import { oneLine } from './written-text.ts'

/** Changes beyond single fields: cycles among parents, items without an id, and files. */
export const sourceChanges = (reading: SourceFarm, files: SourceFiles): readonly MoveChange[] => [
  ...circlesIn(reading),
  ...unnumberedIn(reading),
  ...changesOfFiles(files, reading),
]

function changesOfFiles({ described, bytes }: SourceFiles, reading: SourceFarm): readonly MoveChange[] {
  const descriptions = describedInRecords(reading)
  return [...described.all()].flatMap(([id, { size, name, owner }]): readonly MoveChange[] => {
    const kept = numberIn(bytes.get(id)?.size)
    if (kept === undefined) return []
    const about = `file ${id}`
    const description = descriptions.get(id)
    const changes: (MoveChange | false)[] = [
      kept !== numberIn(size) && { about, at: '', case: 'other-size', was: `${String(size)} → ${kept}` },
      oneLine(String(name)) !== String(name) && { about, at: 'name', case: 'control-characters', was: String(name) },
      idIn(owner) === undefined && { about, at: 'owner', case: 'no-author' },
      description !== undefined && { about, at: '', case: 'file-description', was: description },
    ]
    return changes.filter((change) => change !== false)
  })
}

/** Terms and assets that are their own ancestors. */
function circlesIn({ records }: Pick<SourceFarm, 'records'>): readonly MoveChange[] {
  return (['term', 'asset'] as const).flatMap((type) => {
    const parents = new Map(
      [...records[type].all()].flatMap(([id, { parent }]) => {
        const above = Array.isArray(parent) ? parent.flatMap((one) => idIn(one) ?? []) : []
        return above.length === 0 ? [] : [[id, above] as const]
      }),
    )
    return [...parents.keys()]
      .filter((id) => isAbove(parents, id))
      .map((id) => ({ about: `${type} ${id}`, at: 'parent', case: 'circle' as const }))
  })
}

function isAbove(parents: ReadonlyMap<number, readonly number[]>, id: number): boolean {
  const seen = new Set<number>()
  const waiting = [...(parents.get(id) ?? [])]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (one === id) return true
    if (seen.has(one)) continue
    seen.add(one)
    waiting.push(...(parents.get(one) ?? []))
  }
  return false
}

/** Items of lists without an id. */
const unnumberedIn = ({ vocabularies, users, records }: SourceFarm): readonly MoveChange[] =>
  Object.entries({ vocabulary: vocabularies, user: users, ...records }).flatMap(([type, store]) =>
    store.unnumbered.map((item) => ({ about: `${type} ${item}`, at: '', case: 'no-number' as const })),
  )
