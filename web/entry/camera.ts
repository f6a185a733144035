import { signal } from '@preact/signals'
import { askForFiles } from '../form/ask-for-files.ts'

/** What the camera took on the way to an entry. */
export const shots = signal<readonly File[]>([])

/** In answer to the tap that leads to the entry; only where a finger taps, else a window of files would open on a desk. */
export function openCamera(): void {
  shots.value = []
  if (!matchMedia('(pointer: coarse)').matches) return
  askForFiles({ accepts: 'image', from: 'camera' }).then((files) => {
    shots.value = files
  })
}
