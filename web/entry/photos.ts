import type { NewPhoto } from '../sync/save.ts'

export const photosOf = (record: string, photos: readonly Blob[]): readonly NewPhoto[] =>
  photos.map((file) => ({ record, field: 'images', file }))
