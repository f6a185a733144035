import { withoutMetadata } from '../formats/image/photo-metadata.ts'
import { badQuery } from '../records/finding/filter.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot } from '../storage/database.ts'
import { bytesOf, filesByIds } from '../storage/file-rows.ts'
import { logsAmong } from '../storage/records/logs-between.ts'

/** A photo of a log in the registers. */
export interface InspectionPhoto {
  /** The number of the file. */
  readonly id: number
  readonly log: number
  /** The name of the log. */
  readonly name: string
  readonly timestamp: number
  readonly fileName: string
}

/** So many can be chosen from; the newest are listed. */
const mostListed = 200

/** The photos of these logs, the newest first. */
export async function photosOfLogs(snapshot: Snapshot, logs: readonly number[]): Promise<readonly InspectionPhoto[]> {
  const found = (await logsAmong(snapshot, logs, [])).flatMap(({ id: log, name, timestamp, values }) =>
    ((values.images as readonly number[] | undefined) ?? []).map((id) => ({ id, log, name, timestamp })),
  )
  const newest = found.toReversed().slice(0, mostListed)
  const files = await filesByIds(
    snapshot,
    newest.map(({ id }) => id),
  )
  return newest.flatMap((photo) => {
    const file = files.get(photo.id)
    return file === undefined ? [] : [{ ...photo, fileName: file.name }]
  })
}

export const mostPhotos = 20
const mostBytes = 16 * 1024 * 1024

/** Photos that the user has chosen one by one, by their numbers. */
export function chosenPhotos(
  listed: readonly InspectionPhoto[],
  chosen: readonly number[],
): readonly InspectionPhoto[] {
  if (chosen.length > mostPhotos) throw badQuery('photos', `at most ${mostPhotos} can be chosen`)
  return chosen.map((id) => {
    const photo = listed.find((one) => one.id === id)
    if (photo === undefined) throw badQuery('photos', `no log of these registers has a photo ${id}`)
    return photo
  })
}

export interface ReadPhoto {
  readonly photo: InspectionPhoto
  readonly bytes: Buffer
  readonly mime: string
  readonly extension: string
}

/** The photos as others may have them: without places and times inside. */
export async function readPhotos(
  snapshot: Snapshot,
  photos: readonly InspectionPhoto[],
): Promise<readonly ReadPhoto[]> {
  const files = await filesByIds(
    snapshot,
    photos.map(({ id }) => id),
  )
  const read: ReadPhoto[] = []
  let size = 0
  for (const photo of photos) {
    const plain = withoutMetadata(await bytesOf(snapshot, files.get(photo.id)?.sha256 ?? ''))
    if (plain === undefined)
      throw badQuery(
        'photos',
        `photo ${photo.id} is no JPEG, PNG or WebP, so places and times inside cannot be removed`,
      )
    size += plain.bytes.length
    if (size > mostBytes)
      throw new Refusal('too-large', `The photos have more than ${mostBytes} bytes together. Choose fewer.`)
    read.push({ photo, ...plain })
  }
  return read
}
