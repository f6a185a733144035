import type { Farm } from '../../src/farm/farm.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { examine } from '../../src/records/doctor/examination.ts'
import type { Database } from '../../src/storage/database.ts'
import { openDatabase, type StoragePlace } from '../../src/storage/open.ts'
import { quiet } from './moves.ts'

/** What the doctor says, one line for each finding. */
export async function examined(database: Database, farm: Farm = stockFarm): Promise<string[]> {
  const lines: string[] = []
  const found = ({ what, mend }: { what: string; mend: string }) => void lines.push(`${what}: ${mend}`)
  await examine({ farm, database, found, report: quiet })
  return lines
}

export async function examinedAt(place: StoragePlace): Promise<string[]> {
  const database = await openDatabase(place)
  return examined(database).finally(() => database.close())
}
