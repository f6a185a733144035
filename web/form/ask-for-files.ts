import { isReadable } from '../sync/photos.ts'
import { notice } from '../sync/status.ts'
import { photosFit } from '../sync/storage-quota.ts'

interface Wanted {
  readonly accepts: 'image' | 'any'
  /** The camera opens at once, where there is one. */
  readonly from: 'camera' | 'device'
}

/** Lets a person choose files, or take a photo. Only in answer to a tap; nothing where nothing was chosen. */
export async function askForFiles({ accepts, from }: Wanted): Promise<readonly File[]> {
  if (!photosFit.value) {
    notice({ kind: 'no-room-for-photos' })
    return []
  }
  const input = document.createElement('input')
  input.type = 'file'
  input.hidden = true
  input.multiple = from === 'device'
  if (accepts === 'image') input.accept = 'image/*'
  if (from === 'camera') input.setAttribute('capture', 'environment')
  document.body.append(input)
  const chosen = new Promise<readonly File[]>((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.addEventListener('cancel', () => resolve([]))
  })
  input.click()
  return chosen.finally(() => input.remove())
}

/** Tells of photos that this browser cannot read, and hands each to `drop`: one after another, since photos are large. */
export async function dropUnreadable(files: readonly File[], drop: (file: File) => void): Promise<void> {
  for (const file of files) {
    if (await isReadable(file)) continue
    notice({ kind: 'photo-unreadable', name: file.name })
    drop(file)
  }
}
