import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Found } from './finding.ts'

const mebibyte = 1024 * 1024

/** Below this a server may soon be unable to write. */
export const leastFreeBytes = 256 * mebibyte

export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

/** Who may look inside, how much room is left, and what work that was cut short has left behind. */
export async function checkDataDirectory(directory: string, least: number, found: Found): Promise<void> {
  const there = await stat(directory).catch(() => null)
  if (!there?.isDirectory()) return
  const { mode } = there
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    const rights = (mode & 0o777).toString(8)
    found({
      what: `Other users of this machine may look into ${directory} (its rights are ${rights})`,
      mend: `chmod 700 '${directory}'`,
    })
  }
  const free = await freeBytes(directory)
  if (free < least) {
    const [have, want] = [free, least].map((bytes) => Math.floor(bytes / mebibyte))
    found({
      what: `Only ${have} MiB are free for ${directory}, less than ${want}`,
      mend: 'make room on that disk',
    })
  }
  for (const name of await readdir(directory)) {
    if (!/^restoring-|\.partial$/.test(name)) continue
    const path = join(directory, name)
    found({
      what: `${path} was left behind by work that did not end`,
      mend: 'delete it if no restore is running',
      alike: 'files and folders that were left behind',
    })
  }
}
