import { askForFiles, dropUnreadable } from '../forms/attachments.tsx'
import type { NewPhoto } from '../sync/save.ts'
import type { EntryDetails } from './details.tsx'

type ChangeDetails = (part: (before: EntryDetails) => Partial<EntryDetails>) => void

/** A photo is part of its entry from the moment it was taken: Save may come before it is looked at. */
export function addPhotos(change: ChangeDetails, files: readonly File[]): void {
  if (files.length === 0) return
  change(({ photos }) => ({ photos: [...photos, ...files] }))
  void dropUnreadable(files, (file) => change(({ photos }) => ({ photos: photos.filter((one) => one !== file) })))
}

export const photosOf = (record: string, photos: readonly Blob[]): readonly NewPhoto[] =>
  photos.map((file) => ({ record, field: 'images', file }))

type Shots = Promise<readonly File[]>

let underWay: Shots | null = null

/** In answer to the tap that leads to the entry; only where a finger taps, else a window of files would open on a desk. */
export function openCamera(): void {
  const isPhone = matchMedia('(pointer: coarse)').matches
  underWay = isPhone ? askForFiles({ accepts: 'image', from: 'camera' }) : null
}

/** The photos belong to the one entry that asks for them. */
export function shotsOnTheWay(): Shots {
  const shots = underWay ?? Promise.resolve([])
  underWay = null
  return shots
}
