import type { Place } from '../place.ts'
import { replaceFile } from './replace-file.ts'
import { replaceTables } from './replace-tables.ts'
import type { Fill, Wish } from './replacement.ts'

/**
 * Puts a new farm in the place of the old one, all at once: until the last moment, and whenever `fill` fails or the process
 * dies, the old one is untouched. Answers where the old one is kept, or null where there was none.
 */
export async function replaceFarm(place: Place, wish: Wish, fill: Fill): Promise<string | null> {
  return place.database === null ? replaceFile(place.data, wish, fill) : replaceTables(place.database, wish, fill)
}
