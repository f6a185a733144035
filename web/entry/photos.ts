import { dropUnreadable } from '../form/ask-for-files.ts'
import type { NewPhoto } from '../sync/save.ts'
import type { Said } from './details.tsx'

type ChangeOfSaid = (part: (before: Said) => Partial<Said>) => void

/** A photo is part of its entry from the moment it was taken: Save may come before it is looked at. */
export function addPhotos(change: ChangeOfSaid, files: readonly File[]): void {
  if (files.length === 0) return
  change(({ photos }) => ({ photos: [...photos, ...files] }))
  void dropUnreadable(files, (file) => change(({ photos }) => ({ photos: photos.filter((one) => one !== file) })))
}

export const photosOf = (record: string, photos: readonly Blob[]): readonly NewPhoto[] =>
  photos.map((file) => ({ record, field: 'images', file }))
