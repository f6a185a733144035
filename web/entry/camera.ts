import { askForFiles } from '../form/ask-for-files.ts'

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
