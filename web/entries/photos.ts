import { askForFiles, dropUnreadable } from '../forms/attachments.tsx'
import type { NewPhoto } from '../sync/save.ts'
import type { EntryDetails } from './details.tsx'

type ChangeDetails = (part: (before: EntryDetails) => Partial<EntryDetails>) => void

/** Adds photos at once, before they are decoded: the user may save meanwhile. */
export function addPhotos(change: ChangeDetails, files: readonly File[]): void {
  if (files.length === 0) return
  change(({ photos }) => ({ photos: [...photos, ...files] }))
  void dropUnreadable(files, (file) => change(({ photos }) => ({ photos: photos.filter((one) => one !== file) })))
}

export const photosOf = (record: string, photos: readonly Blob[]): readonly NewPhoto[] =>
  photos.map((file) => ({ record, field: 'images', file }))

type Shots = Promise<readonly File[]>

let underWay: Shots | null = null

/** Opens the camera inside the tap that leads to the entry. Touch devices only: a desktop would open a file dialog. */
export function openCamera(): void {
  const isPhone = matchMedia('(pointer: coarse)').matches
  underWay = isPhone ? askForFiles({ accepts: 'image', from: 'camera' }) : null
}

/** Photos of the camera that `openCamera` opened, for the entry that takes them first. */
export function shotsOnTheWay(): Shots {
  const shots = underWay ?? Promise.resolve([])
  underWay = null
  return shots
}
