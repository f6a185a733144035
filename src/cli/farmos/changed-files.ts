import type { Change } from './changes.ts'
import { idIn, numberIn } from './kinds.ts'
import { oneLine } from './plain-text.ts'
import { describedInRecords, type ReadFiles } from './read-files.ts'
import type { OtherFarm } from './reading.ts'

/** What this farm does not have of files as the other server has them. */
export function changesOfFiles({ described, bytes }: ReadFiles, reading: OtherFarm): readonly Change[] {
  const descriptions = describedInRecords(reading)
  return [...described.all()].flatMap(([id, { size, name, owner }]): readonly Change[] => {
    const kept = numberIn(bytes.get(id)?.size)
    if (kept === undefined) return []
    const about = `file ${id}`
    const description = descriptions.get(id)
    const changes: (Change | false)[] = [
      kept !== numberIn(size) && { about, at: '', case: 'other-size', was: `${String(size)} → ${kept}` },
      oneLine(String(name)) !== String(name) && { about, at: 'name', case: 'control-characters', was: String(name) },
      idIn(owner) === undefined && { about, at: 'owner', case: 'no-author' },
      description !== undefined && { about, at: '', case: 'file-description', was: description },
    ]
    return changes.filter((change) => change !== false)
  })
}
